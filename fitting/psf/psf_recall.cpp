#include "fitting/psf/psf_recall.hpp"

#include <cmath>

namespace tactelier {
namespace {

LogSpread log_of(const SpreadAxes& axes) {
  const double along = 2 * std::log(axes.sigma_x_m), across = 2 * std::log(axes.sigma_y_m);
  const double half = (along - across) / 2;
  return {(along + across) / 2, half * std::cos(2 * axes.theta_rad),
          half * std::sin(2 * axes.theta_rad)};
}

std::optional<LogSpread> spread_of(const Psf& psf, const PsfProblem& problem) {
  if (psf_form(psf.form) == PsfForm::kSampled) {
    if (!psf.kernel_sampled.s.value) return {};
    return LogSpread{2 * std::log(*psf.kernel_sampled.s.value * problem.layout.pitch_m()), 0, 0};
  }
  if (!psf.sigma_x.value || !psf.sigma_y.value) return {};
  return log_of({*psf.sigma_x.value, *psf.sigma_y.value, psf.theta.value.value_or(0)});
}

double figure(const SensorModel& model, const std::string& name) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return 0;
  const auto found = quality->second.figures.find(name);
  return found == quality->second.figures.end() ? 0 : found->second;
}

/// The first mounting's stands in the file, the others' among the figures, as differences.
std::vector<PsfFrame> frames_of(const SensorModel& model, std::uint32_t count) {
  const auto& first = model.psf.registration;
  std::vector<PsfFrame> frames(
      count, {first.x.value.value_or(0), first.y.value.value_or(0), first.rz.value.value_or(0)});
  for (std::size_t f = 1; f < frames.size(); ++f) {
    const auto name = [&](const char* what) { return fmt::format("mount_{}_{}", f + 1, what); };
    frames[f].x_m += figure(model, name("shift_x_m"));
    frames[f].y_m += figure(model, name("shift_y_m"));
    frames[f].turn_rad += figure(model, name("turn_rad"));
  }
  return frames;
}

}  // namespace

std::optional<RecalledPsf> recall_psf(const SensorModel& model, const PsfProblem& problem) {
  const auto spread = spread_of(model.psf, problem);
  if (!spread) return {};
  RecalledPsf recalled;
  recalled.model.form = psf_form(model.psf.form);
  if (model.psf.edge == to_string(PsfEdge::kRenormalised))
    recalled.model.edge = PsfEdge::kRenormalised;
  if (spread->e1 != 0 || spread->e2 != 0) recalled.model.shape = PsfShape::kAnisotropic;
  auto& state = recalled.state;
  state.spread = *spread;
  state.frames = frames_of(model, problem.frames);
  state.ghosting = figure(model, "ghosting_percent") / 100;
  recalled.model.ghosting = state.ghosting != 0;
  for (const auto& tactel : problem.tactels) {
    const auto& response = model.response.tactels.at(static_cast<std::size_t>(tactel.index));
    const bool known = response.gain.identified() && *response.gain.value > 0;
    const double slope = known ? 1 / *response.gain.value : 0;
    recalled.known.push_back(known);
    state.slope.push_back(slope);
    state.intercept.push_back(slope * response.threshold.value.value_or(0));
  }
  return recalled;
}

}  // namespace tactelier
