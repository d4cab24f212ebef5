#include "fitting/statistics/quantiles.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>

namespace tactelier {
namespace {

using Policy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::errno_on_error>,
    boost::math::policies::overflow_error<boost::math::policies::errno_on_error>,
    boost::math::policies::evaluation_error<boost::math::policies::errno_on_error>>;
using Normal = boost::math::normal_distribution<double, Policy>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;
using ChiSquared = boost::math::chi_squared_distribution<double, Policy>;
using FisherF = boost::math::fisher_f_distribution<double, Policy>;

}  // namespace

double normal_quantile(double p) {
  assert(p > 0 && p < 1);
  return boost::math::quantile(Normal(0, 1), p);
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double t_quantile(double p, double dof) {
  assert(p > 0 && p < 1 && dof > 0);
  return std::isinf(dof) ? normal_quantile(p) : boost::math::quantile(StudentsT(dof), p);
}

double coverage_95(double dof) { return t_quantile(0.975, dof); }

double chi2_quantile(double p, double dof) {
  assert(p > 0 && p < 1 && dof > 0);
  return boost::math::quantile(ChiSquared(dof), p);
}

double chi2_survival(double x, double dof) {
  assert(dof > 0);
  if (x <= 0) return 1;
  return boost::math::cdf(boost::math::complement(ChiSquared(dof), x));
}

double f_survival(double x, double dof, double noise_dof) {
  assert(dof > 0 && noise_dof > 0);
  if (x <= 0) return 1;
  if (std::isinf(x)) return 0;
  return boost::math::cdf(boost::math::complement(FisherF(dof, noise_dof), x));
}

}  // namespace tactelier
