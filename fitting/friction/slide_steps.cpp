#include "fitting/friction/slide_steps.hpp"

#include <cmath>

#include "fitting/friction/slide_law.hpp"
#include "fitting/friction/slide_sensor.hpp"

namespace tactelier {
namespace {

using Eigen::Index;

// Below it (1 - exp(-x)) / x is taken from its series, as in lugre_detail::phi.
constexpr double kSmallStep = 1e-4;

}  // namespace

SlideStepLaw::SlideStepLaw(const SlideContact& contact, double zero, double reference,
                           const SlideSetting& setting, std::span<const double> p, double tick)
    : scale(setting.proportional ? contact.load_N / reference : 1),
      law(lugre_values(p)),
      zero_N(zero),
      reference_N(reference),
      tick_s(tick),
      exponent(p[kSlideExponent]),
      running_in(p[kSlideRunningIn]),
      per_length(std::exp(-p[kSlideLogLength])),
      delay_s(p[kSlideDelay]),
      side_m_per_N(p[kSlideSide]) {
  for (const auto i : {kLugreSigma0, kLugreSigma1, kLugreViscous}) law[i] *= scale;
}

void SlideSteps::fill(const SlideStepLaw& by, const SlideContact& contact, const TipMotion& motion,
                      std::size_t slide, double& slid) {
  const auto& rows = contact.slides[slide];
  const auto& ticks = motion.slides[slide];
  const std::span time_s = std::span(contact.time_s).subspan(rows.begin, rows.end - rows.begin);
  BetweenRows load(time_s, std::span(contact.normal_N).subspan(rows.begin, time_s.size()));
  const auto count = static_cast<Index>(ticks.end - ticks.begin);
  v = Eigen::Map<const Eigen::ArrayXd>(motion.speed_m_per_s.data() + ticks.begin, count);
  load_N.resize(count);
  load_rate_N_per_s.resize(count);
  slid_m.resize(count);
  for (Index i = 0; i < count; ++i) {
    const double t_s = ticks.first_s + static_cast<double>(i) * by.tick_s + by.delay_s;
    load_N[i] = by.zero_N + load.at(t_s);
    load_rate_N_per_s[i] = load.slope_per_s();
    slid_m[i] = slid;
    slid += std::abs(v[i]) * by.tick_s;
  }
  load_N = load_N.max(kSlideLeastLoad_N);
  log_load = (load_N / by.reference_N).log();
  worn = (-by.per_length * slid_m).exp();
  fresh = 1 + by.running_in * worn;
  stuck = (-(v / by.law[kLugreStribeck]).square()).exp();
  mu = by.law[kLugreDynamic] + (by.law[kLugreStatic] - by.law[kLugreDynamic]) * stuck;
  per_m = by.law[kLugreSigma0] / (load_N * (by.exponent * log_load).exp() * fresh * mu);
  if (by.side_m_per_N > 0) return;
  const Eigen::ArrayXd x = per_m * v.abs() * by.tick_s;
  keep = (-x).exp();
  phi = (x < kSmallStep).select(1 - x / 2 + x.square() / 6, (1 - keep) / x);
}

}  // namespace tactelier
