#include "libcalib/forward/psf_method.hpp"

#include <cmath>
#include <limits>

#include "libcalib/forward/foundation_column.hpp"
#include "libcalib/forward/press_checks.hpp"

namespace tactelier {
namespace {

constexpr int kPointsPerCell = 10;     // of the pressure, along a cell's side
constexpr double kStiffestEdges = 10;  // times K_f and its area, of a flat face however narrow
constexpr double kAnyDepth_m = 1e-6;   // of a level face: its pressure is the same at any

std::optional<SpreadCovariance> spread_of(const Psf& psf, double pitch_x_m, double pitch_y_m) {
  if (psf_form(psf.form) == PsfForm::kSampled) {
    const auto s = psf.kernel_sampled.s.value;
    if (!s) return {};
    return SpreadCovariance{*s * *s * pitch_x_m * pitch_x_m, 0, *s * *s * pitch_y_m * pitch_y_m};
  }
  if (!psf.sigma_x.value || !psf.sigma_y.value) return {};
  const SpreadAxes axes{*psf.sigma_x.value, *psf.sigma_y.value, psf.theta.value.value_or(0)};
  auto spread = spread_covariance(axes);
  if (axes.sigma_x_m == axes.sigma_y_m) spread.xy = 0;
  return spread;
}

double ghosting_of(const SensorModel& model) {
  const auto quality = model.quality.find("psf");
  if (quality == model.quality.end()) return 0;
  const auto percent = quality->second.figures.find("ghosting_percent");
  return percent == quality->second.figures.end() ? 0 : percent->second / 100;
}

}  // namespace

Result<PsfMethod> PsfMethod::create(const SensorModel& model) {
  auto layout = PsfLayout::create(model.sensor);
  if (!layout) return fail(layout.error());
  const auto& array = model.sensor.arrays.front();
  const auto spread = spread_of(model.psf, array.pitch_x_m, array.pitch_y_m);
  if (!spread)
    return fail(ErrorCode::kUnidentifiable, "method psf needs the model's point spread: {}",
                model.psf.sigma_x.reason);
  PsfMethod method(std::move(*layout));
  method.sensor_ = model.sensor;
  method.spread_ = *spread;
  method.form_ = psf_form(model.psf.form);
  if (model.psf.edge == to_string(PsfEdge::kRenormalised)) method.edge_ = PsfEdge::kRenormalised;
  method.lattice_ = PsfLattice::create(model.sensor, method.spread_, method.form_, method.edge_);
  method.ghosting_ = ghosting_of(model);
  method.foundation_modulus_Pa_per_m_ = foundation_modulus_Pa_per_m(model);
  if (const auto rim_Pa = rim_modulus_Pa(model))
    method.rim_m_ = *rim_Pa / *method.foundation_modulus_Pa_per_m_;
  method.punch_stiffness_N_per_m_ = model.stiffness.k_punch.value;
  method.punch_ = model.stiffness.indenter;
  return method;
}

PsfMethod PsfMethod::stiffened(double modulus_factor, double rim_factor) const {
  auto other = *this;
  if (other.foundation_modulus_Pa_per_m_) *other.foundation_modulus_Pa_per_m_ *= modulus_factor;
  if (other.rim_m_) *other.rim_m_ *= rim_factor / modulus_factor;
  return other;
}

Result<PsfMethod::Balance> PsfMethod::balance(const StaticPress& press,
                                              const IndenterSurface& surface,
                                              const FoundationContact& contact) const {
  const bool by_force = press.load.by == PressLoad::By::kForce;
  const bool level = surface.flat() && press.pose.level();
  // Its edges make a small punch stiffer than the foundation under it: where the rig measured
  // this very indenter, that holds.
  const bool measured = level && punch_stiffness_N_per_m_ && press.indenter.describe() == punch_;
  if (measured && by_force)
    return Balance{press.load.force_N, kAnyDepth_m, press.load.force_N / *punch_stiffness_N_per_m_};
  if (measured)
    return Balance{press.load.depth_m * *punch_stiffness_N_per_m_, kAnyDepth_m, press.load.depth_m};
  if (const auto modulus = foundation_modulus_Pa_per_m_; modulus && by_force) {
    const double depth_m = contact.depth_at_m(press.load.force_N / *modulus);
    return Balance{press.load.force_N, depth_m, depth_m};
  } else if (modulus) {
    return Balance{*modulus * contact.carried_m3(press.load.depth_m), press.load.depth_m,
                   press.load.depth_m};
  }
  if (level && by_force) return Balance{press.load.force_N, kAnyDepth_m, {}};
  return fail(ErrorCode::kUnidentifiable,
              "FW-05 How far {} goes under {} needs the foundation modulus, which the model has "
              "not.",
              press.indenter.describe(), load_words(press.load));
}

FoundationContact PsfMethod::contact_of(const StaticPress& press,
                                        const IndenterSurface& surface) const {
  const auto edges = form_ == PsfForm::kSampled ? EdgeSamples::kMidpoint : EdgeSamples::kByArea;
  const int samples = samples_per_cell(sensor_, surface);
  const double rim_m = rim_m_.value_or(0);
  if (press.load.by == PressLoad::By::kForce && foundation_modulus_Pa_per_m_)
    return FoundationContact::with_volume(sensor_, surface, press.pose, samples, edges,
                                          press.load.force_N / *foundation_modulus_Pa_per_m_,
                                          rim_m);
  return {sensor_, surface, press.pose, samples, edges, std::numeric_limits<double>::infinity(),
          rim_m};
}

void PsfMethod::warn_of_rim(const StaticPress& press, const IndenterSurface& surface,
                            Warnings& warnings) const {
  const bool outlined = !surface.rim().empty();
  if (rim_m_ && outlined) return;
  warnings.push_back(
      {"FW-14",
       fmt::format("a flat end of {} leans, and how stiff its rim is, {}: it sinks less than "
                   "predicted, and its image is off by some percent",
                   press.indenter.describe(),
                   outlined ? "the model does not know (stiffness.k_punch of a flat round punch "
                              "beside a foundation modulus)"
                            : "is not known of a mesh"),
       ""});
}

PressFootprint PsfMethod::spread_points(const FoundationContact& contact, double level_m) const {
  auto footprint = contact.footprint(level_m, kPointsPerCell);
  // The sampled kernel takes what each cell carries, and points lie within their cells.
  if (form_ == PsfForm::kSampled) footprint.moment_xx_m2 = footprint.moment_yy_m2 = 0;
  return footprint;
}

std::vector<Share> PsfMethod::shares(const PressPose& pose, const PressFootprint& footprint) const {
  std::vector<Share> shares(layout_.tactels());
  layout_.shares(pose.x_m, pose.y_m, footprint, spread_, form_, edge_, shares);
  if (ghosting_ == 0) return shares;
  const auto of_others = line_sums(shares);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i].value += ghosting_ * of_others[i];
  return shares;
}

std::vector<double> PsfMethod::line_sums(std::span<const Share> shares) const {
  std::vector<double> values, of_others(shares.size());
  for (const auto& share : shares) values.push_back(share.value);
  layout_.line_sums(values, of_others);
  return of_others;
}

template <class ShareOut>
Result<PressImage> PsfMethod::balanced(const StaticPress& press, const ShareOut& share_out) const {
  if (auto sound = check_press(press); !sound) return fail(sound.error());
  if (press.load.approach_m_per_s != 0)
    return fail(ErrorCode::kUsage, "method psf is of presses at rest: it knows no speed");
  const auto surface = IndenterSurface::create(press.indenter);
  if (!surface) return fail(surface.error());
  const auto contact = contact_of(press, *surface);
  constexpr std::string_view kNoTactel = "touches no tactel";
  if (contact.empty()) return nothing_under(press, kNoTactel);
  const auto balanced = balance(press, *surface, contact);
  if (!balanced) return fail(balanced.error());
  if (!(contact.volume_m3(balanced->level_m) > 0)) return nothing_under(press, kNoTactel);
  if (balanced->depth_m) {
    const bool flat_by_force =
        surface->flat() && press.pose.level() && press.load.by == PressLoad::By::kForce;
    const double at_least_m = *balanced->depth_m / (flat_by_force ? kStiffestEdges : 1);
    if (auto within = check_range(sensor_, press, at_least_m); !within) return fail(within.error());
  }
  PressImage image{{}, balanced->load_N, balanced->depth_m, {}, {}};
  share_out(contact, balanced->level_m, image);
  warn_of_footprint(press, contact, balanced->level_m, image.warnings);
  if (!press.pose.level() && surface->has_flat_end()) warn_of_rim(press, *surface, image.warnings);
  if (balanced->depth_m) warn_of_depth(sensor_, press, *balanced->depth_m, image.warnings);
  return image;
}

Result<PressImage> PsfMethod::press(const StaticPress& press) const {
  return balanced(press, [&](const FoundationContact& contact, double level_m, PressImage& image) {
    image.footprint = spread_points(contact, level_m);
    for (const auto& share : shares(press.pose, image.footprint))
      image.force_N.push_back(share.value * image.load_N);
  });
}

Result<PressImage> PsfMethod::image(const StaticPress& press) const {
  if (!lattice_) return this->press(press);
  return balanced(press, [&](const FoundationContact& contact, double level_m, PressImage& image) {
    image.force_N = lattice_->shares(contact, level_m);
    std::vector<double> of_others(image.force_N.size());
    layout_.line_sums(image.force_N, of_others);
    for (std::size_t i = 0; i < of_others.size(); ++i)
      image.force_N[i] = image.load_N * (image.force_N[i] + ghosting_ * of_others[i]);
  });
}

}  // namespace tactelier
