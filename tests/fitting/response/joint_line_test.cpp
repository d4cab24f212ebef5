// When the joint fit of all presses speaks for a tactel's own ones.
#include "fitting/response/joint_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

constexpr double kTrueGain = 5e-4, kTrueThreshold_N = 0.12;
constexpr double kOwnScatter = 0.03;
/// Of twenty tactels, standard deviation 1, in no order.
constexpr std::array kNormal{-0.31, 1.04,  0.12, -1.66, 0.55, -0.80, 0.92, 0.25,  -0.45, 1.41,
                             0.02,  -1.13, 0.70, -0.07, 1.93, -0.60, 0.38, -1.95, -0.92, 0.47};

struct Made {
  std::vector<std::optional<JointLine>> lines;
  std::vector<TactelReport> reports;
  std::vector<TactelFit> fits;

  JointAgreement compare() const { return compare_lines(lines, reports); }
  std::size_t take() {
    ReportSettings settings;
    settings.gain_u_percent = 1;
    return take_joint_lines(lines, fits, settings, compare(), reports);
  }
  const Parameter& gain(std::size_t i) const { return reports[i].response.press_gain; }
};

/// Own presses that scatter by 3 % about `off` times what the joint fit expects of them.
Made made(double off, double at_presses = 1, double scatter = kOwnScatter) {
  Made made;
  for (std::size_t i = 0; i < kNormal.size(); ++i) {
    made.lines.push_back(JointLine{.gain_N_per_count = kTrueGain,
                                   .u_gain = 0.004,
                                   .threshold_N = kTrueThreshold_N,
                                   .u_threshold_N = 0.001,
                                   .covariance = 0,
                                   .dof = 60,
                                   .gain_at_presses = at_presses});
    const double factor = off * at_presses * std::exp(scatter * kNormal[i]);
    TactelReport report;
    report.response.press_gain =
        identified_log({std::log(kTrueGain * factor), kOwnScatter, 30}, "N/count", "response");
    report.response.press_threshold = identified(
        {kTrueThreshold_N * factor, kOwnScatter * kTrueThreshold_N, 30}, "N", "response");
    made.reports.push_back(std::move(report));
    made.fits.emplace_back();
    made.fits.back().tactel = static_cast<int>(i);
  }
  return made;
}

TEST(JointLines, TakeThePlaceOfOwnPressesThatScatterMore) {
  auto two = made(1);
  EXPECT_EQ(two.take(), kNormal.size());
  for (std::size_t i = 0; i < kNormal.size(); ++i) {
    EXPECT_NEAR(*two.gain(i).value, kTrueGain, 1e-12);
    EXPECT_NEAR(*two.reports[i].response.press_threshold.value, kTrueThreshold_N, 1e-12);
    EXPECT_EQ(two.gain(i).from, "psf");
    ASSERT_TRUE(two.reports[i].covariance);
    EXPECT_EQ(two.reports[i].covariance->parameters.front(),
              "response.tactels[" + std::to_string(i) + "].press_threshold");
  }
  // t_0.975(60) = 2.0003; the certificate's 1 % beside 0.4 %
  EXPECT_NEAR((*two.gain(0).ci95)[1] / kTrueGain - 1, std::expm1(0.004 * 2.0003), 1e-5);
  EXPECT_GT(*two.gain(0).u_total / kTrueGain, 2 * 0.01);
}

TEST(JointLines, AreHeldAgainstPressesWhereTheyLay) {
  auto beside = made(1, 1.06);  // presses off the centres
  EXPECT_NEAR(beside.compare().difference, 0, 0.01);
  EXPECT_EQ(beside.take(), kNormal.size());
  EXPECT_NEAR(*beside.gain(3).value, kTrueGain, 1e-12);  // of a press on the centre
}

TEST(JointLines, ThatDifferFromAllOwnPressesSayNothing) {
  auto apart = made(1.05);  // a spread that is no such spread
  const auto agreement = apart.compare();
  EXPECT_NEAR(agreement.difference, std::log(1.05), 0.01);
  EXPECT_FALSE(agreement.agree);
  EXPECT_EQ(apart.take(), 0u);
  EXPECT_EQ(apart.gain(0).from, "response");
}

TEST(JointLines, ThatDifferFromTactelToTactelByMoreThanPressesScatterSayNothing) {
  EXPECT_FALSE(made(1, 1, 0.09).compare().agree);
}

TEST(JointLines, LeaveATactelAloneThatIsUnlikeTheOthers) {
  auto odd = made(1);
  auto& gain = odd.reports[7].response.press_gain;
  gain = identified_log({std::log(1.3 * kTrueGain), kOwnScatter, 30}, "N/count", "response");
  EXPECT_EQ(odd.take(), kNormal.size() - 1);
  EXPECT_EQ(odd.gain(7).from, "response");
  EXPECT_EQ(odd.gain(8).from, "psf");
}

TEST(JointLines, LeaveATactelAloneWhoseOwnPressesTellItBetter) {
  auto known = made(1);
  known.lines[2]->u_gain = 1.1 * kOwnScatter;
  EXPECT_EQ(known.take(), kNormal.size() - 1);
  EXPECT_EQ(known.gain(2).from, "response");
}

TEST(JointLines, WidenByWhatIsLeftOpenBetweenTheTwo) {
  auto near = made(1.01), same = made(1);
  near.take();
  same.take();
  EXPECT_GT(*near.gain(0).u_total, *same.gain(0).u_total);
}

TEST(JointLines, OfFewTactelsSayNothing) {
  auto few = made(1);
  few.lines.resize(4);
  EXPECT_EQ(few.take(), 0u);
}

}  // namespace
}  // namespace tactelier
