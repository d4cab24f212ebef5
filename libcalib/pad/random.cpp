#include "libcalib/pad/random.hpp"

#include <cmath>

namespace tactelier::pad {
namespace {

/// Steele, Lea, Flood 2014: spreads a seed over the state.
std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

using Polynomial = std::array<double, 8>;  // highest power first

double value(const Polynomial& p, double x) {
  double sum = p[0];
  for (std::size_t i = 1; i < p.size(); ++i) sum = sum * x + p[i];
  return sum;
}

// Names a to f are Wichura's.
constexpr Polynomial kA{2.5090809287301226727e+3, 3.3430575583588128105e+4,
                        6.7265770927008700853e+4, 4.5921953931549871457e+4,
                        1.3731693765509461125e+4, 1.9715909503065514427e+3,
                        1.3314166789178437745e+2, 3.3871328727963666080e+0};
constexpr Polynomial kB{5.2264952788528545610e+3, 2.8729085735721942674e+4,
                        3.9307895800092710610e+4, 2.1213794301586595867e+4,
                        5.3941960214247511077e+3, 6.8718700749205790830e+2,
                        4.2313330701600911252e+1, 1.0};
constexpr Polynomial kC{7.74545014278341407640e-4, 2.27238449892691845833e-2,
                        2.41780725177450611770e-1, 1.27045825245236838258e+0,
                        3.64784832476320460504e+0, 5.76949722146069140550e+0,
                        4.63033784615654529590e+0, 1.42343711074968357734e+0};
constexpr Polynomial kD{1.05075007164441684324e-9, 5.47593808499534494600e-4,
                        1.51986665636164571966e-2, 1.48103976427480074590e-1,
                        6.89767334985100004550e-1, 1.67638483018380384940e+0,
                        2.05319162663775882187e+0, 1.0};
constexpr Polynomial kE{2.01033439929228813265e-7, 2.71155556874348757815e-5,
                        1.24266094738807843860e-3, 2.65321895265761230930e-2,
                        2.96560571828504891230e-1, 1.78482653991729133580e+0,
                        5.46378491116411436990e+0, 6.65790464350110377720e+0};
constexpr Polynomial kF{2.04426310338993978564e-15, 1.42151175831644588870e-7,
                        1.84631831751005468180e-5,  7.86869131145613259100e-4,
                        1.48753612908506148525e-2,  1.36929880922735805310e-1,
                        5.99832206555887937690e-1,  1.0};

double tail_quantile(double probability, double from_centre) {
  const double tail = from_centre < 0 ? probability : 1 - probability;
  const double r = std::sqrt(-std::log(tail));
  const double x =
      r <= 5 ? value(kC, r - 1.6) / value(kD, r - 1.6) : value(kE, r - 5) / value(kF, r - 5);
  return from_centre < 0 ? -x : x;
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t mixer = seed ^ hash(purpose);
  for (auto& word : state_) word = split_mix(mixer);
}

double Random::log_uniform(double low, double high) {
  return std::exp(uniform(std::log(low), std::log(high)));
}

double Random::normal() { return normal_quantile(uniform()); }

double Random::exponential() { return -std::log(uniform()); }

double normal_quantile(double probability) {
  const double q = probability - 0.5;
  if (std::abs(q) > 0.425) return tail_quantile(probability, q);
  const double r = 0.180625 - q * q;
  return value(kA, r) * q / value(kB, r);
}

}  // namespace tactelier::pad
