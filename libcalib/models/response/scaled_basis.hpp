#pragma once
// For laws of the form c = c0 + a g(F), g bent by one shape parameter or none.

#include <algorithm>

#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

/// {1, g(F)}; the model file keeps c0, a and the shape, if there is one.
class ScaledBasis : public ResponseBasis {
 public:
  using Function = double (*)(double force_N, double shape);
  explicit ScaledBasis(Function g) : g_(g) {}
  ScaledBasis(Function g, double shape) : g_(g), shape_(shape) {}
  std::size_t size() const override { return 2; }
  void at(double force_N, std::span<double> row) const override {
    row[0] = 1;
    row[1] = g_(force_N, shape_.value_or(0));
  }
  ResponseSlots terms(std::span<const double> weights, std::optional<double>) const override {
    ResponseSlots terms{{weights[0], weights[1]}, {}};
    if (shape_) terms.coefficients.push_back(*shape_);
    return terms;
  }

 private:
  Function g_;
  std::optional<double> shape_;
};

}  // namespace tactelier
