#include "app/workflow/catalogue/gauge_study.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

#include "fitting/statistics/quantiles.hpp"
#include "fitting/statistics/random.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr double kPoolAbove = 0.25;
constexpr double kCategories = 1.41;  // AIAG's rounding of sqrt(2)
constexpr int kDraws = 20000;

/// Of a balanced table.
struct GaugeMeans {
  double all = 0;
  std::vector<double> part, who;
  std::vector<std::vector<double>> cell;
};

GaugeMeans means_of(const GaugeTable& values) {
  const auto parts = values.size(), operators = values[0].size(), trials = values[0][0].size();
  GaugeMeans means{0, std::vector<double>(parts), std::vector<double>(operators), {}};
  means.cell.assign(parts, std::vector<double>(operators));
  for (std::size_t i = 0; i < parts; ++i)
    for (std::size_t j = 0; j < operators; ++j) {
      for (const double value : values[i][j]) means.cell[i][j] += value;
      means.cell[i][j] /= static_cast<double>(trials);
      means.part[i] += means.cell[i][j] / static_cast<double>(operators);
      means.who[j] += means.cell[i][j] / static_cast<double>(parts);
    }
  for (const double mean : means.part) means.all += mean / static_cast<double>(parts);
  return means;
}

double square(double x) { return x * x; }

void analyse(const GaugeTable& values, GaugeStudy& study) {
  const auto means = means_of(values);
  const auto p = static_cast<double>(study.parts), o = static_cast<double>(study.operators),
             r = static_cast<double>(study.trials);
  for (const double mean : means.part)
    study.part.sum_of_squares += o * r * square(mean - means.all);
  for (const double mean : means.who) study.who.sum_of_squares += p * r * square(mean - means.all);
  for (std::size_t i = 0; i < study.parts; ++i)
    for (std::size_t j = 0; j < study.operators; ++j) {
      const double cell = means.cell[i][j];
      study.interaction.sum_of_squares +=
          r * square(cell - means.part[i] - means.who[j] + means.all);
      for (const double value : values[i][j]) study.repeat.sum_of_squares += square(value - cell);
    }
  const auto parts = static_cast<int>(study.parts), operators = static_cast<int>(study.operators),
             trials = static_cast<int>(study.trials);
  study.part.degrees = parts - 1;
  study.who.degrees = operators - 1;
  study.interaction.degrees = (parts - 1) * (operators - 1);
  study.repeat.degrees = parts * operators * (trials - 1);
}

void test_interaction(GaugeStudy& study) {
  const double repeat = study.repeat.mean_square();
  if (repeat > 0) {
    const boost::math::fisher_f_distribution<double> f(study.interaction.degrees,
                                                       study.repeat.degrees);
    study.interaction_p =
        boost::math::cdf(boost::math::complement(f, study.interaction.mean_square() / repeat));
  } else {
    study.interaction_p = study.interaction.sum_of_squares > 0 ? 0 : 1;
  }
  study.pooled = study.interaction_p > kPoolAbove;
}

struct MeanSquares {
  double part = 0, who = 0, interaction = 0, repeat = 0;
};

/// Standard deviations, and %GRR last: in the order of the members of GaugeStudy.
using Deviations = std::array<double, 6>;

Deviations deviations(const MeanSquares& mean, const GaugeStudy& study) {
  const auto p = static_cast<double>(study.parts), o = static_cast<double>(study.operators),
             r = static_cast<double>(study.trials);
  const auto least_0 = [](double variance) { return std::max(variance, 0.0); };
  const double error = study.pooled ? mean.repeat : mean.interaction;
  const double crossed = study.pooled ? 0 : least_0((mean.interaction - mean.repeat) / r);
  const double who = least_0((mean.who - error) / (p * r)) + crossed;
  const double part = least_0((mean.part - error) / (o * r));
  const double gauge = mean.repeat + who;
  const double total = gauge + part;
  return {std::sqrt(mean.repeat), std::sqrt(who),   std::sqrt(gauge),
          std::sqrt(part),        std::sqrt(total), 100 * std::sqrt(gauge / total)};
}

/// What stands for the repeats: with the interaction, where that is pooled.
VarianceSource error_of(const GaugeStudy& study) {
  if (!study.pooled) return study.repeat;
  return {study.repeat.sum_of_squares + study.interaction.sum_of_squares,
          study.repeat.degrees + study.interaction.degrees};
}

/// Chi-squared, by the sum of squares of normals.
double drawn_chi2(RandomSource& random, int degrees) {
  double sum = 0;
  for (int i = 0; i < degrees; ++i) sum += square(random.normal());
  return sum;
}

/// The mean squares that may stand behind those observed.
MeanSquares drawn(const GaugeStudy& study, const VarianceSource& error, RandomSource& random) {
  const auto draw = [&](const VarianceSource& source) {
    return source.sum_of_squares / drawn_chi2(random, source.degrees);
  };
  MeanSquares mean;
  mean.part = draw(study.part);
  mean.who = draw(study.who);
  mean.interaction = study.pooled ? 0 : draw(study.interaction);
  mean.repeat = draw(error);
  return mean;
}

void estimate(GaugeStudy& study, std::uint64_t seed) {
  const auto error = error_of(study);
  const auto best = deviations({study.part.mean_square(), study.who.mean_square(),
                                study.interaction.mean_square(), error.mean_square()},
                               study);
  RandomSource random(seed);
  std::array<std::vector<double>, best.size()> draws;
  for (int i = 0; i < kDraws; ++i) {
    const auto each = deviations(drawn(study, error, random), study);
    for (std::size_t k = 0; k < each.size(); ++k) draws[k].push_back(each[k]);
  }
  const std::array members{&study.repeatability, &study.reproducibility, &study.gauge,
                           &study.part_to_part,  &study.total,           &study.percent_of_total};
  for (std::size_t k = 0; k < members.size(); ++k)
    *members[k] = {best[k], quantile(draws[k], 0.025), quantile(draws[k], 0.975)};
  const double error_degrees = error.degrees;
  study.repeatability.low = std::sqrt(error.sum_of_squares / chi2_quantile(0.975, error_degrees));
  study.repeatability.high = std::sqrt(error.sum_of_squares / chi2_quantile(0.025, error_degrees));
  const double categories = kCategories * study.part_to_part.value / study.gauge.value;
  study.distinct_categories = static_cast<int>(std::min(categories, 1e6));
}

Result<void> check_table(const GaugeTable& values) {
  const auto enough = [](std::size_t count) { return count >= 2; };
  if (!enough(values.size()) || !enough(values[0].size()) || !enough(values[0][0].size()))
    return fail(ErrorCode::kInvalidInput,
                "gauge R&R: at least 2 sensors, 2 operators and 2 trials of each are needed");
  for (const auto& part : values)
    for (const auto& cell : part)
      if (part.size() != values[0].size() || cell.size() != values[0][0].size())
        return fail(ErrorCode::kInvalidInput,
                    "gauge R&R: every operator must measure every sensor equally often");
  return {};
}

}  // namespace

Result<GaugeStudy> gauge_study(const GaugeTable& values, std::uint64_t seed) {
  if (auto sound = check_table(values); !sound) return fail(sound.error());
  GaugeStudy study;
  study.parts = values.size();
  study.operators = values[0].size();
  study.trials = values[0][0].size();
  analyse(values, study);
  test_interaction(study);
  if (!(error_of(study).sum_of_squares > 0))
    return fail(ErrorCode::kInvalidInput,
                "gauge R&R: repeated measurements do not differ at all; are they copies?");
  estimate(study, seed);
  return study;
}

std::string gauge_verdict(const GaugeStudy& study) {
  const double percent = study.percent_of_total.value;
  return percent < 10 ? "acceptable" : percent <= 30 ? "may be acceptable" : "not acceptable";
}

}  // namespace tactelier
