#include "libcalib/models/hayes_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "libcalib/models/pchip.hpp"

namespace tactelier {
namespace {

constexpr std::array kRadii{0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0};  // a/h
constexpr std::array kPoisson{0.0, 0.1, 0.3, 0.4, 0.45, 0.5};
// clang-format off
constexpr std::array<std::array<double, kRadii.size()>, kPoisson.size()> kKappa{{
    {1.0400411240, 1.0830753185, 1.1780101047, 1.4003675363, 1.6567039987, 1.9349634246, 2.2261147755, 2.9806422387, 3.7512966947, 5.3086922131},
    {1.0410880045, 1.0853236880, 1.1831179277, 1.4127305979, 1.6774214009, 1.9640043156, 2.2628239269, 3.0332228825, 3.8166066756, 5.3957509011},
    {1.0457627828, 1.0954406929, 1.2065582409, 1.4726120020, 1.7847537641, 2.1259832015, 2.4835246291, 3.4090383308, 4.3532442903, 6.2612923387},
    {1.0507102675, 1.1062624333, 1.2322533644, 1.5422109731, 1.9178344912, 2.3402158444, 2.7937680024, 4.0100174142, 5.2985468800, 7.9916458939},
    {1.0544650066, 1.1145506227, 1.2523399174, 1.5992761430, 2.0328229609, 2.5354254908, 3.0914080674, 4.6575936565, 6.4205880185, 10.3654399656},
    {1.0595985806, 1.1259872675, 1.2806366058, 1.6837222902, 2.2128887310, 2.8602432268, 3.6187358490, 6.0030130838, 9.1494504520, 18.1573993804},
}};
// clang-format on

/// One curve ln kappa over ln(a/h) per row of the table.
const std::vector<Pchip>& curves() {
  static const auto made = [] {
    std::vector<double> x;
    for (const double radius : kRadii) x.push_back(std::log(radius));
    std::vector<Pchip> all;
    for (const auto& row : kKappa) {
      std::vector<double> y;
      for (const double kappa : row) y.push_back(std::log(kappa));
      all.emplace_back(x, std::move(y));
    }
    return all;
  }();
  return made;
}

}  // namespace

Result<double> hayes_factor(double radius_over_thickness, double poisson_ratio) {
  if (!(radius_over_thickness > 0 && radius_over_thickness <= kHayesMaxRadius))
    return fail(ErrorCode::kInvalidInput,
                "punch radius over layer thickness is {:.4g}, the bonded-layer table ends at {}",
                radius_over_thickness, kHayesMaxRadius);
  if (!(poisson_ratio >= 0 && poisson_ratio <= 0.5))
    return fail(ErrorCode::kInvalidInput, "Poisson's ratio {:.4g} is outside 0 to 0.5",
                poisson_ratio);
  const double in_table = std::max(radius_over_thickness, kHayesMinRadius);
  std::vector<double> column;
  for (const auto& curve : curves()) column.push_back(curve(std::log(in_table)));
  const Pchip over_poisson({kPoisson.begin(), kPoisson.end()}, std::move(column));
  const double kappa = std::exp(over_poisson(poisson_ratio));
  return 1 + (kappa - 1) * radius_over_thickness / in_table;
}

double hayes_tolerance(double poisson_ratio) { return poisson_ratio <= 0.45 ? 0.007 : 0.024; }

Result<double> modulus_from_punch_Pa(double k_punch_N_per_m, double radius_m, double thickness_m,
                                     double poisson_ratio) {
  const auto kappa = hayes_factor(radius_m / thickness_m, poisson_ratio);
  if (!kappa) return fail(kappa.error());
  return k_punch_N_per_m * (1 - poisson_ratio * poisson_ratio) / (2 * radius_m * *kappa);
}

}  // namespace tactelier
