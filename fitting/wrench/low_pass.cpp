#include "fitting/wrench/low_pass.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace tactelier {
namespace {

constexpr std::size_t kExtension = 9;

/// Transposed direct form II, from the given state.
void run(const Biquad& q, std::array<double, 2> state, std::vector<double>& values) {
  for (double& v : values) {
    const double y = q.b[0] * v + state[0];
    state[0] = q.b[1] * v - q.a[1] * y + state[1];
    state[1] = q.b[2] * v - q.a[2] * y;
    v = y;
  }
}

/// State in which a constant input of `level` has been on for ever (gain 1).
std::array<double, 2> settled(const Biquad& q, double level) {
  const double second = (q.b[2] - q.a[2]) * level;
  return {(q.b[1] - q.a[1]) * level + second, second};
}

}  // namespace

Biquad butterworth(double cutoff_hz, double rate_hz) {
  const double k = std::tan(std::numbers::pi * cutoff_hz / rate_hz);
  const double n = 1 / (1 + std::numbers::sqrt2 * k + k * k);
  const double b = k * k * n;
  return {{b, 2 * b, b}, {1, 2 * (k * k - 1) * n, (1 - std::numbers::sqrt2 * k + k * k) * n}};
}

std::vector<double> filtered(const Biquad& biquad, std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  run(biquad, {0, 0}, out);
  return out;
}

std::vector<double> filtered_both_ways(std::span<const double> values, double cutoff_hz,
                                       double rate_hz) {
  assert(values.size() > kExtension);
  const double per_pass = std::pow(std::numbers::sqrt2 - 1, 0.25);
  const auto q = butterworth(cutoff_hz / per_pass, rate_hz);
  std::vector<double> out;
  for (std::size_t i = kExtension; i > 0; --i) out.push_back(2 * values.front() - values[i]);
  out.insert(out.end(), values.begin(), values.end());
  for (std::size_t i = 1; i <= kExtension; ++i)
    out.push_back(2 * values.back() - values[values.size() - 1 - i]);
  for (int pass = 0; pass < 2; ++pass) {
    run(q, settled(q, out.front()), out);
    std::reverse(out.begin(), out.end());
  }
  return {out.begin() + kExtension, out.end() - kExtension};
}

}  // namespace tactelier
