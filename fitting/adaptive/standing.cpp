#include "fitting/adaptive/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier::adaptive {
namespace {

constexpr double kOnePlace = 0.06;  // of k: rubber differs by 2 or 3 % from place to place

double floor_of(const Parameter& parameter, double half_width) {
  if (!parameter.u_total) return 0;
  const double whole = *parameter.u_total / std::abs(*parameter.value);
  return std::sqrt(std::max(0.0, whole * whole - half_width * half_width));
}

class Counter {
 public:
  explicit Counter(const Target& target) { standing_.target = target; }

  void see(const Parameter& parameter, const std::string& where, double besides = 0) {
    ++seen_;
    auto half_width = relative_half_width(parameter);
    if (half_width) half_width = std::hypot(*half_width, besides);
    if (!half_width) {
      if (standing_.missing++ > 0) return;
      standing_.missing_where = where;
      standing_.reason = parameter.reason;
      return;
    }
    floors_.push_back(floor_of(parameter, *half_width));
    if (*half_width <= standing_.target.relative) ++standing_.reached;
    if (standing_.worst && *half_width <= *standing_.worst) return;
    standing_.worst = *half_width;
    standing_.worst_where = where;
  }

  Standing take() {
    standing_.of = seen_;
    if (!floors_.empty()) standing_.floor = median(floors_);
    return std::move(standing_);
  }

 private:
  Standing standing_;
  int seen_ = 0;
  std::vector<double> floors_;
};

}  // namespace

double places_half_width(const SensorModel& model) {
  const auto quality = model.quality.find("stiffness");
  if (quality == model.quality.end() || !model.stiffness.k_punch.identified()) return 0;
  const auto& figures = quality->second.figures;
  const auto places = figures.find("k_punch_places");
  const auto spread = figures.find("k_punch_spread_N_per_m");
  if (places == figures.end() || places->second < 2 || spread == figures.end()) return kOnePlace;
  return coverage_95(places->second - 1) * spread->second / std::sqrt(places->second) /
         *model.stiffness.k_punch.value;
}

std::optional<double> relative_half_width(const Parameter& parameter) {
  if (!parameter.identified() || !parameter.ci95 || *parameter.value == 0) return std::nullopt;
  const auto& [low, high] = *parameter.ci95;
  return (high - low) / 2 / std::abs(*parameter.value);
}

std::vector<Standing> standings(const SensorModel& model, std::span<const Target> targets,
                                const std::set<int>& given_up) {
  std::vector<Standing> all;
  for (const auto& target : targets) {
    Counter counter(target);
    switch (target.kind) {
      case TargetKind::kGain:
        for (const auto& tactel : model.response.tactels)
          if (given_up.count(tactel.index) == 0)
            counter.see(tactel.gain, fmt::format("tactel {}", tactel.index));
        break;
      case TargetKind::kSigma:
        counter.see(model.psf.sigma, "");
        break;
      case TargetKind::kStiffness:
        counter.see(model.stiffness.k_punch, "", places_half_width(model));
        break;
      case TargetKind::kDamping: {
        const auto& damping = model.damping;
        counter.see(damping.dissipation.identified() ? damping.dissipation : damping.c_n, "");
        break;
      }
      case TargetKind::kRelaxation: {
        const auto& branches = model.relaxation;
        for (std::size_t i = 0; i < std::min(branches.g.size(), branches.tau.size()); ++i) {
          counter.see(branches.g[i], fmt::format("share {}", i + 1));
          counter.see(branches.tau[i], fmt::format("time {}", i + 1));
        }
        if (branches.g.empty()) counter.see(branches.g_inf, "");
        break;
      }
    }
    all.push_back(counter.take());
  }
  return all;
}

}  // namespace tactelier::adaptive
