#include "libcalib/models/lugre.hpp"

#include <algorithm>
#include <limits>

namespace tactelier {

double lugre_passive_viscosity(const LugreValues& p) {
  return p[kLugreSigma1] * (p[kLugreStatic] - p[kLugreDynamic]) / p[kLugreDynamic];
}

// sigma1^2 v <= 4 (sigma1 + c_t) g(v): the left side rises, g falls, so there is one crossing.
double lugre_passive_to_m_per_s(const LugreValues& p, double normal_N) {
  if (p[kLugreViscous] >= lugre_passive_viscosity(p))
    return std::numeric_limits<double>::infinity();
  const double factor =
      4 * (p[kLugreSigma1] + p[kLugreViscous]) / (p[kLugreSigma1] * p[kLugreSigma1]);
  double low = 0;
  double high = factor * lugre_level_N(p, 0, normal_N);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (middle <= factor * lugre_level_N(p, middle, normal_N) ? low : high) = middle;
  }
  return low;
}

}  // namespace tactelier
