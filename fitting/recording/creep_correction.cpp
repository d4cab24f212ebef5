#include "fitting/recording/creep_correction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr double kBend = 0.02;            // of force and time: between nodes the force is straight
constexpr double kBendSigma = 6;          // of the force's noise
constexpr double kReleased = 4;           // sigma of force: the pad is let go
constexpr double kReleasedShare = 0.005;  // of the peak, for quiet force sensors
constexpr double kHalf = 0.5;

/// Of log10(1 + x), from 0.
double integral(double x_s) { return ((1 + x_s) * std::log1p(x_s) - x_s) / std::numbers::ln10; }

/// Decades of a ramp's creep at its end, per force.
double ramp_decades(double lasts_s) { return lasts_s > 0 ? integral(lasts_s) / lasts_s : 0; }

/// Rows between which the force is a straight line, well enough.
std::vector<std::size_t> nodes_of(std::span<const double> time_s, std::span<const double> force_N,
                                  double bend_N) {
  std::vector<std::size_t> nodes{0};
  const double bend_s = kBend * (time_s.back() - time_s.front());
  for (std::size_t i = 1; i < time_s.size(); ++i)
    if (i + 1 == time_s.size() || time_s[i] - time_s[nodes.back()] > bend_s ||
        std::abs(force_N[i] - force_N[nodes.back()]) > bend_N)
      nodes.push_back(i);
  return nodes;
}

double decades_at(double at_s, std::span<const double> time_s, std::span<const double> force_N) {
  double sum_N =
      time_s.front() < at_s ? force_N.front() * std::log10(1 + at_s - time_s.front()) : 0;
  for (std::size_t j = 1; j < time_s.size() && time_s[j - 1] < at_s; ++j) {
    const double step_s = time_s[j] - time_s[j - 1];
    if (!(step_s > 0)) continue;
    const double slope = (force_N[j] - force_N[j - 1]) / step_s;
    sum_N += slope * (integral(at_s - time_s[j - 1]) - integral(std::max(0.0, at_s - time_s[j])));
  }
  return sum_N;
}

}  // namespace

std::vector<double> creep_decades_N(std::span<const double> time_s,
                                    std::span<const double> force_N) {
  std::vector<double> decades_N;
  decades_N.reserve(time_s.size());
  for (const double at_s : time_s) decades_N.push_back(decades_at(at_s, time_s, force_N));
  return decades_N;
}

double creep_hidden(std::span<const EarlierLoad> earlier, double from_s, double hold_s) {
  double falls = 0;
  for (const auto& load : earlier) {
    const auto left = [&](double at_s) {
      return std::log10(1 + load.lasted_s / (load.ended_before_s + at_s));
    };
    falls += left(from_s) - left(hold_s);
  }
  return hold_s > from_s ? falls / std::log10(hold_s / from_s) : HUGE_VAL;
}

void correct_creep(const FitContext& context, const PressContact& contact, PressData& data) {
  if (!context.reading_creep || !contact.ok || data.static_readings || !data.has_force()) return;
  const double released_N =
      std::max(kReleased * contact.sigma_force_N,
               kReleasedShare * (data.force_N[data.peak] - contact.force_bias_N));
  const auto first = static_cast<std::size_t>(
      std::lower_bound(data.time_s.begin(), data.time_s.end(), contact.time_s) -
      data.time_s.begin());
  std::size_t end = data.rows();
  while (end > data.peak && data.force_N[end - 1] - contact.force_bias_N < released_N) --end;
  if (first + 1 >= end) return;
  std::vector<double> force_N;
  for (std::size_t i = first; i < end; ++i)
    force_N.push_back(data.force_N[i] - contact.force_bias_N);
  const auto time_s = std::span(data.time_s).subspan(first, force_N.size());
  const double peak_N = *std::max_element(force_N.begin(), force_N.end());
  std::vector<double> at_s, at_N;
  const auto nodes =
      nodes_of(time_s, force_N, std::max(kBend * peak_N, kBendSigma * contact.sigma_force_N));
  for (const auto node : nodes) {
    at_s.push_back(time_s[node]);
    at_N.push_back(force_N[node]);
  }
  const auto decades_N = creep_decades_N(at_s, at_N);
  for (std::size_t k = 1; k < nodes.size(); ++k)
    for (std::size_t i = nodes[k - 1] + (k > 1 ? 1 : 0); i <= nodes[k]; ++i) {
      const double part = (time_s[i] - at_s[k - 1]) / (at_s[k] - at_s[k - 1]);
      data.force_N[first + i] += context.reading_creep->per_decade *
                                 (decades_N[k - 1] + part * (decades_N[k] - decades_N[k - 1]));
    }
}

double crept_under_weight(const FitContext& context, std::size_t session, double from_s,
                          double at_s) {
  if (!context.reading_creep) return 0;
  const LaidWeight* last = nullptr;
  for (const auto& weight : context.reading_creep->weights)
    if (weight.session == session && weight.on_s < from_s) last = &weight;
  if (!last) return 0;
  return context.reading_creep->per_decade *
         std::log10((1 + at_s - last->on_s) / (1 + from_s - last->on_s));
}

double u_creep_correction(const ReadingCreep& creep, double loading_s) {
  const double decades = ramp_decades(loading_s);
  return std::hypot(creep.u_per_decade * decades,
                    kHalf * creep.per_decade * decades / std::sqrt(3.0));
}

double u_creep_left(double per_decade, double loading_s) {
  return per_decade * ramp_decades(loading_s);
}

}  // namespace tactelier
