#pragma once
// How a tactel's readings rise with the force on it, as laws that can stand in for each other
// (docs/theory/response.md 4). One law is one file beside this one and one line in
// response_laws.cpp; the fit compares all of them, and the model file names the one that was
// chosen. Laws speak of readings that rise: sensors whose readings fall are turned before
// (libcalib/model_file/turned_counts.hpp).

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier {

/// What the model file keeps of one tactel's curve.
struct ResponseSlots {
  std::vector<double> coefficients;          // ResponseLaw::coefficient() tells what each is
  std::vector<std::array<double, 2>> knots;  // force_N, counts; straight lines between them
};

/// One coefficient of a law.
struct CoefficientInfo {
  /// What becomes of it where readings are recorded falling: a level is mirrored like a reading, a
  /// rise changes its sign, a shape (a force, an exponent) stays.
  enum class Kind { kLevel, kRise, kShape };
  Kind kind = Kind::kLevel;
  std::string unit;
};

/// The forces that a law is fitted over.
struct ForceRange {
  double low_N = 0, high_N = 0;
  std::array<double, 3> quartiles_N{};  // of the forces there are
};

/// A law over a range of forces as a weighted sum, so that the weights are found by linear least
/// squares. The first function is the constant 1.
class ResponseBasis {
 public:
  virtual ~ResponseBasis() = default;
  virtual std::size_t size() const = 0;
  /// Values of all functions at one force; `row` has size() places.
  virtual void at(double force_N, std::span<double> row) const = 0;
  /// All weights but the first must be >= 0.
  virtual bool bounded() const { return false; }
  /// What the model file keeps. `offset_counts`: the reading at rest, where it is known.
  virtual ResponseSlots terms(std::span<const double> weights,
                              std::optional<double> offset_counts) const = 0;
};

class ResponseLaw {
 public:
  virtual ~ResponseLaw() = default;
  /// As `response.model` says it; laws that differ by their degree alone share one.
  virtual std::string_view name() const = 0;
  /// Of this candidate, in reports: "quadratic".
  virtual std::string_view title() const { return name(); }
  /// c0 counts, then rises per power of the force, unless a law says otherwise.
  virtual CoefficientInfo coefficient(std::size_t index) const;
  /// Between which the law's one parameter that no weight can stand for is searched, on a
  /// logarithmic scale; empty for laws that are weighted sums altogether.
  virtual std::optional<std::array<double, 2>> shapes(const ForceRange&) const { return {}; }
  /// `shape`: that parameter, the last of the coefficients; laws without one ignore it.
  virtual std::unique_ptr<ResponseBasis> basis(const ForceRange& range, double shape) const = 0;

  /// Laws with slots of their own; the straight line has none (see affine.hpp).
  virtual bool curved() const { return true; }
  virtual double counts(const ResponseSlots& terms, double force_N) const = 0;
  /// Its inverse, for laws that have one in closed form.
  virtual std::optional<double> force_N(const ResponseSlots&, double /*counts*/) const {
    return {};
  }
};

}  // namespace tactelier
