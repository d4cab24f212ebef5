#pragma once
// Readings that bend gently, whatever the reason (docs/theory/response.md 4):
//   c = sum a_k F^k      F in N, c in counts, degree 2 or 3
// Holds where it rises, between the offset and the highest force of the fit; nothing is said
// beyond.

#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

/// Fitted in powers of x in -1 .. 1 over the range, which keeps the normal equations well
/// conditioned; the model file holds powers of the force itself.
class PowerBasis : public ResponseBasis {
 public:
  PowerBasis(std::size_t degree, const ForceRange& range) : degree_(degree), range_(range) {}
  std::size_t size() const override { return degree_ + 1; }
  void at(double force_N, std::span<double> row) const override;
  ResponseSlots terms(std::span<const double> weights, std::optional<double>) const override;

 private:
  std::size_t degree_;
  ForceRange range_;
};

class PolynomialLaw : public ResponseLaw {
 public:
  PolynomialLaw(std::size_t degree, std::string_view title) : degree_(degree), title_(title) {}
  std::string_view name() const override { return "polynomial"; }
  std::string_view title() const override { return title_; }
  std::unique_ptr<ResponseBasis> basis(const ForceRange& range, double) const override {
    return std::make_unique<PowerBasis>(degree_, range);
  }
  /// Of as many powers as the slots hold.
  double counts(const ResponseSlots& terms, double force_N) const override;

 private:
  std::size_t degree_;
  std::string_view title_;
};

}  // namespace tactelier
