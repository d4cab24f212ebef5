#include "libcalib/models/pchip.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tactelier {
namespace {

double end_slope(double h0, double h1, double secant0, double secant1) {
  const double d = ((2 * h0 + h1) * secant0 - h0 * secant1) / (h0 + h1);
  if (d * secant0 <= 0) return 0;
  if (secant0 * secant1 <= 0 && std::abs(d) > 3 * std::abs(secant0)) return 3 * secant0;
  return d;
}

double inner_slope(double h0, double h1, double secant0, double secant1) {
  if (secant0 * secant1 <= 0) return 0;
  const double w1 = 2 * h1 + h0;
  const double w2 = h1 + 2 * h0;
  return (w1 + w2) / (w1 / secant0 + w2 / secant1);
}

}  // namespace

Pchip::Pchip(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), slopes_(x_.size()) {
  assert(x_.size() >= 2 && x_.size() == y_.size());
  const std::size_t last = x_.size() - 1;
  const auto h = [&](std::size_t i) { return x_[i + 1] - x_[i]; };
  const auto secant = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / h(i); };
  if (last == 1) {
    slopes_ = {secant(0), secant(0)};
    return;
  }
  slopes_.front() = end_slope(h(0), h(1), secant(0), secant(1));
  slopes_.back() = end_slope(h(last - 1), h(last - 2), secant(last - 1), secant(last - 2));
  for (std::size_t i = 1; i < last; ++i)
    slopes_[i] = inner_slope(h(i - 1), h(i), secant(i - 1), secant(i));
}

std::size_t Pchip::segment(double x) const {
  const auto after = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(after - x_.begin()) - 1;
}

double Pchip::operator()(double x) const {
  const std::size_t i = segment(x);
  const double h = x_[i + 1] - x_[i];
  const double t = (x - x_[i]) / h;
  const double s = 1 - t;
  return s * s * ((1 + 2 * t) * y_[i] + t * h * slopes_[i]) +
         t * t * ((1 + 2 * s) * y_[i + 1] - s * h * slopes_[i + 1]);
}

double Pchip::slope(double x) const {
  const std::size_t i = segment(x);
  const double h = x_[i + 1] - x_[i];
  const double t = (x - x_[i]) / h;
  const double s = 1 - t;
  return 6 * t * s * (y_[i + 1] - y_[i]) / h + s * (1 - 3 * t) * slopes_[i] +
         t * (3 * t - 2) * slopes_[i + 1];
}

std::pair<double, double> Pchip::inverse(double y) const {
  const auto bisect = [&](auto below) {
    double low = x_.front();
    double high = x_.back();
    for (int i = 0; i < 100 && low < high; ++i) {
      const double middle = 0.5 * (low + high);
      (below((*this)(middle)) ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  return {bisect([&](double value) { return value < y; }),
          bisect([&](double value) { return value <= y; })};
}

}  // namespace tactelier
