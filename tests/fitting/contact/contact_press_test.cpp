// One press as the contact stage judges it: made of straight lines worked by hand.
#include "fitting/contact/contact_press.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fitting/statistics/random.hpp"

namespace tactelier {
namespace {

/// 1 kHz, 0.3 s of free air, then 0.4 mm in and out at 1 mm/s on 2 N/mm; noise 2 mN, bias 0.1 N.
PressData straight_press() {
  RandomSource random(11);
  PressData data;
  data.period_s = 1e-3;
  for (int i = 0; i < 1400; ++i) {
    const double t = 1e-3 * i;
    const double travel = 1e-3 * (i <= 700 ? t : 1.4 - t);
    data.time_s.push_back(10 + t);
    data.travel_m.push_back(travel);
    data.force_N.push_back(0.1 + 2000 * std::max(0.0, travel - 3e-4) + 2e-3 * random.normal());
  }
  data.peak = 700;
  return data;
}

TEST(ContactPress, FindsTouchBiasPeakAndSpeed) {
  const auto finding = analyse_contact(straight_press(), {});
  EXPECT_EQ(finding.verdict, "good") << finding.why;
  ASSERT_TRUE(finding.contact.ok);
  EXPECT_NEAR(finding.contact.z0_m, 3e-4, 3e-6);
  EXPECT_LT(std::abs(finding.contact.z0_m - 3e-4), 3 * finding.contact.u_z0_m);
  EXPECT_NEAR(finding.contact.force_bias_N, 0.1, 5e-4);
  EXPECT_NEAR(finding.contact.sigma_force_N, 2e-3, 3e-4);
  EXPECT_NEAR(finding.contact.time_s, 10.3, 5e-3);
  EXPECT_NEAR(*finding.peak_depth_m, 4e-4, 5e-6);
  EXPECT_NEAR(*finding.speed_m_per_s, 1e-3, 2e-5);
}

TEST(ContactPress, TakesATouchSetByHandAsAssumed) {
  ContactSettings settings;
  settings.contact_s = 10.31;
  const auto finding = analyse_contact(straight_press(), settings);
  EXPECT_EQ(finding.point.status, Status::kAssumed);
  EXPECT_NEAR(finding.contact.z0_m, 3.1e-4, 1e-9);
  EXPECT_NEAR(finding.contact.u_z0_m, 1e-6 / std::sqrt(12.0), 1e-9);
}

/// Only its way out was recorded: neither the sign nor the tip is to blame.
TEST(ContactPress, NamesARecordingThatBeganUnderLoad) {
  auto data = straight_press();
  for (auto* column : {&data.time_s, &data.travel_m, &data.force_N})
    column->erase(column->begin(), column->begin() + 700);
  data.peak = 0;
  const auto finding = analyse_contact(data, {});
  EXPECT_FALSE(finding.contact.ok);
  EXPECT_TRUE(finding.why.starts_with("RC-05 The press begins too late")) << finding.why;
}

/// A force sensor that was zeroed under load: only the way of the indenter tells a late beginning
/// from a turned sign, and without it nothing does.
TEST(ContactPress, BlamesTheSignOnlyWhereTheIndenterGoesDown) {
  auto late = straight_press();
  for (auto* column : {&late.time_s, &late.travel_m, &late.force_N})
    column->erase(column->begin(), column->begin() + 700);
  const double top_N = late.force_N.front();
  for (int i = 0; i < 200; ++i) {
    late.time_s.insert(late.time_s.begin(), late.time_s.front() - 1e-3);
    late.travel_m.insert(late.travel_m.begin(), late.travel_m.front());
    late.force_N.insert(late.force_N.begin(), top_N + (i % 2 == 0 ? 2e-3 : -2e-3));
  }
  for (double& force_N : late.force_N) force_N -= top_N;
  late.peak = 0;
  EXPECT_TRUE(analyse_contact(late, {}).why.starts_with("RC-05")) << analyse_contact(late, {}).why;
  auto turned = straight_press();
  for (double& force_N : turned.force_N) force_N = -force_N;
  EXPECT_TRUE(analyse_contact(turned, {}).why.starts_with("CV-01 Force falls while the indenter"));
  turned.travel_m.clear();
  EXPECT_NE(analyse_contact(turned, {}).why.find("nothing tells which"), std::string::npos);
}

TEST(ContactPress, SaysOfAConstantForceWhatItMayBe) {
  auto data = straight_press();
  for (std::size_t i = 0; i < data.rows(); ++i) data.force_N[i] = i % 2 == 0 ? 3 : 3.001;
  EXPECT_NE(analyse_contact(data, {}).why.find("or pressed all the while"), std::string::npos);
  for (double& force_N : data.force_N) force_N -= 3.0005;
  const auto why = analyse_contact(data, {}).why;
  EXPECT_TRUE(why.ends_with(": the tip did not touch")) << why;
}

TEST(ContactPress, TakesDepthsFromContactAsTheyAre) {
  auto data = straight_press();
  for (double& z : data.travel_m) z -= 3e-4;
  ContactSettings settings;
  settings.depth_from_contact = true;
  const auto finding = analyse_contact(data, settings);
  EXPECT_EQ(finding.point.status, Status::kAssumed);
  EXPECT_EQ(finding.contact.z0_m, 0);
  EXPECT_TRUE(finding.contact.tared);
  EXPECT_NEAR(*finding.peak_depth_m, 4e-4, 1e-9);
}

TEST(ContactPress, SaysThatASideLoadIsTooLarge) {
  auto data = straight_press();
  for (const double f : data.force_N) {
    data.side_N[0].push_back(0.3 * (f - 0.1) + 0.5);  // 30 % of the press, on a bias
    data.side_N[1].push_back(0);
  }
  const auto finding = analyse_contact(data, {});
  EXPECT_EQ(finding.verdict, "doubtful");
  EXPECT_EQ(finding.warnings.at(0).code, "FT-05");
  EXPECT_NE(finding.why.find("Side load 30 %"), std::string::npos) << finding.why;
}

TEST(ContactPress, DoubtsDepthsBehindASoftFrame) {
  ContactSettings settings;
  settings.compliance.c1_m_per_N = 0.3e-3;  // 0.24 mm of the 0.4 mm at 0.8 N
  const auto finding = analyse_contact(straight_press(), settings);
  EXPECT_EQ(finding.verdict, "doubtful");
  EXPECT_TRUE(finding.why.starts_with("RC-02")) << finding.why;
}

TEST(ContactPress, SaysWhenTheFirstLoadedSampleCarriesTooMuch) {
  PressData data;
  data.period_s = 0.1;
  for (int i = 0; i < 60; ++i) {
    data.time_s.push_back(0.1 * i);
    data.travel_m.push_back(1e-5 * i);
    data.force_N.push_back((i % 2 == 0 ? 1e-3 : -1e-3) + (i < 30 ? 0 : 0.5 + 0.01 * (i - 30)));
  }
  data.peak = 59;
  const auto finding = analyse_contact(data, {});
  EXPECT_EQ(finding.verdict, "doubtful");
  EXPECT_NE(finding.why.find("RC-05 Contact point not bracketed"), std::string::npos)
      << finding.why;
}

TEST(ContactPress, FallsBackToTheThresholdWhereNoLawFits) {
  // Force that jumps, gives way and comes back: no line or power law has a kink to be found in it.
  PressData data;
  data.period_s = 1e-2;
  for (int i = 0; i < 80; ++i) {
    data.time_s.push_back(1e-2 * i);
    data.travel_m.push_back(1e-5 * i);
    const double noise = i % 2 == 0 ? 2e-3 : -2e-3;
    data.force_N.push_back(noise + (i < 40 || (i > 42 && i < 64) ? 0 : i < 43 ? 0.08 : 0.5));
  }
  data.peak = 78;
  const auto finding = analyse_contact(data, {});
  EXPECT_EQ(finding.verdict, "doubtful");
  EXPECT_EQ(finding.estimator, "threshold");
  ASSERT_TRUE(finding.contact.ok);
  EXPECT_NEAR(finding.contact.z0_m, 4e-4, 3 * finding.contact.u_z0_m + 1e-5);
  EXPECT_GT(finding.contact.u_z0_m, 1e-6);
  EXPECT_FALSE(finding.point.ci95);
}

TEST(ContactPress, KnowsNoTouchFromReadingsAtRest) {
  auto data = straight_press();
  data.static_readings = true;
  const auto finding = analyse_contact(data, {});
  EXPECT_FALSE(finding.contact.ok);
  EXPECT_TRUE(finding.usable());
  EXPECT_TRUE(finding.point.reason.starts_with("RC-01")) << finding.point.reason;
}

TEST(ContactPress, TaresWithoutAStage) {
  auto data = straight_press();
  data.travel_m.clear();
  const auto finding = analyse_contact(data, {});
  EXPECT_FALSE(finding.contact.ok);
  EXPECT_TRUE(finding.contact.tared);
  EXPECT_TRUE(finding.usable());
  EXPECT_NEAR(finding.contact.force_bias_N, 0.1, 5e-4);
}

TEST(ContactExponent, FollowsTheShape) {
  Indenter indenter;
  indenter.shape = IndenterShape::kCylinder;
  EXPECT_EQ(contact_exponent(indenter, {}), 1.0);
  indenter.shape = IndenterShape::kSphere;
  indenter.diameter_m = 10e-3;
  EXPECT_EQ(contact_exponent(indenter, {}), 1.5);
  EXPECT_EQ(contact_exponent(indenter, 2e-3), 2.0);
  EXPECT_EQ(contact_exponent(std::nullopt, {}), std::nullopt);
}

TEST(ContactPress, AHoldInLogTimeIsNoGapAndRowsTakenOutAreOne) {
  const auto whole = straight_press();
  PressData held;  // half an hour at the deepest point, 600 rows
  held.period_s = whole.period_s;
  for (std::size_t i = 0; i < 700; ++i) {
    held.time_s.push_back(whole.time_s[i]);
    held.travel_m.push_back(whole.travel_m[i]);
    held.force_N.push_back(whole.force_N[i]);
  }
  for (int i = 0; i < 600; ++i) {
    const double held_s = 1e-3 * std::pow(1.8e6, i / 599.0);
    held.time_s.push_back(10.699 + held_s);
    held.travel_m.push_back(4e-4);
    held.force_N.push_back(0.3 + 0.01 * std::exp(-held_s));
  }
  held.peak = 699;
  EXPECT_EQ(analyse_contact(held, {}).why.find("GAP"), std::string::npos)
      << analyse_contact(held, {}).why;
  auto cut = whole;
  for (auto* column : {&cut.time_s, &cut.travel_m, &cut.force_N})
    column->erase(column->begin() + 500, column->begin() + 560);
  cut.peak -= 60;
  EXPECT_NE(analyse_contact(cut, {}).why.find("GAP 0.061 s are missing from 10.499 s on"),
            std::string::npos)
      << analyse_contact(cut, {}).why;
}

}  // namespace
}  // namespace tactelier
