#include "libcalib/models/response/monotone.hpp"

#include <algorithm>

#include "libcalib/models/ispline.hpp"
#include "libcalib/models/response/calibration_curve.hpp"

namespace tactelier {
namespace {

constexpr int kSplineOrder = 3;

class SplineBasis : public ResponseBasis {
 public:
  explicit SplineBasis(const ForceRange& range)
      : range_(range),
        spline_(kSplineOrder, {range.quartiles_N.begin(), range.quartiles_N.end()}, range.low_N,
                range.high_N) {}
  std::size_t size() const override { return spline_.size() + 1; }
  bool bounded() const override { return true; }
  void at(double force_N, std::span<double> row) const override {
    const auto values = spline_(force_N);
    row[0] = 1;
    std::copy(values.begin(), values.end(), row.begin() + 1);
  }
  /// Goes on with its first slope down to the offset, not below force 0.
  ResponseSlots terms(std::span<const double> weights,
                      std::optional<double> offset_counts) const override {
    ResponseSlots terms;
    for (int k = 0; k < kCurveKnots; ++k) {
      const double force_N = curve_knot_N(range_, k);
      terms.knots.push_back({force_N, sum(weights, force_N)});
    }
    const auto first = terms.knots[0], second = terms.knots[1];
    const double offset = offset_counts.value_or(first[1]);
    const double slope = (second[1] - first[1]) / (second[0] - first[0]);
    const double start_N = slope > 0 ? first[0] - (first[1] - offset) / slope : first[0];
    if (first[1] > offset && start_N < first[0])
      terms.knots.insert(terms.knots.begin(), {std::max(0.0, start_N), offset});
    return terms;
  }

 private:
  double sum(std::span<const double> weights, double force_N) const {
    std::vector<double> row(size());
    at(force_N, row);
    double counts = 0;
    for (std::size_t i = 0; i < row.size(); ++i) counts += row[i] * weights[i];
    return counts;
  }

  ForceRange range_;
  ISpline spline_;
};

}  // namespace

std::unique_ptr<ResponseBasis> MonotoneLaw::basis(const ForceRange& range, double) const {
  return std::make_unique<SplineBasis>(range);
}

double MonotoneLaw::counts(const ResponseSlots& terms, double force_N) const {
  const auto curve = CalibrationCurve::through(terms.knots);
  return curve ? curve->counts(force_N) : 0;
}

}  // namespace tactelier
