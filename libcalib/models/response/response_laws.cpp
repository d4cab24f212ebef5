#include "libcalib/models/response/response_laws.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "libcalib/models/response/affine.hpp"
#include "libcalib/models/response/conductance.hpp"
#include "libcalib/models/response/monotone.hpp"
#include "libcalib/models/response/polynomial.hpp"
#include "libcalib/models/response/power.hpp"
#include "libcalib/models/response/reciprocal.hpp"

namespace tactelier {
namespace {

const AffineLaw kLine;
const PolynomialLaw kQuadratic{2, "quadratic"}, kCubic{3, "cubic"};
const ConductanceLaw kConductance;
const ReciprocalLaw kReciprocal;
const PowerLaw kPower;
const MonotoneLaw kMonotone;

constexpr std::array<const ResponseLaw*, 7> kLaws{
    &kLine, &kQuadratic, &kCubic, &kConductance, &kReciprocal, &kPower, &kMonotone};

}  // namespace

std::span<const ResponseLaw* const> response_laws() { return kLaws; }

const ResponseLaw* find_response_law(std::string_view name) {
  const auto* const law =
      std::find_if(kLaws.begin(), kLaws.end(), [&](const auto* l) { return l->name() == name; });
  return law == kLaws.end() ? nullptr : *law;
}

CoefficientInfo ResponseLaw::coefficient(std::size_t index) const {
  if (index == 0) return {CoefficientInfo::Kind::kLevel, "counts"};
  std::string unit = index == 1 ? "counts/N" : fmt::format("counts/N^{}", index);
  return {CoefficientInfo::Kind::kRise, std::move(unit)};
}

}  // namespace tactelier
