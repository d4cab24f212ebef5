// A body on a sensor in time, against weights, other integrators and closed forms.
#include "libcalib/forward/object_on_sensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/fitting/statistics/oracle_files.hpp"
#include "tests/libcalib/forward/forward_oracle.hpp"

namespace tactelier {
namespace {

using forward_oracle::sum;
using testing::HasSubstr;

SensorDescription grid_sensor(int rows, int columns, double pitch_m) {
  SensorDescription sensor;
  auto& array = sensor.arrays.emplace_back();
  array.rows = rows;
  array.columns = columns;
  array.pitch_x_m = array.pitch_y_m = pitch_m;
  return sensor;
}

/// The paper's: k = 1000 N/m, c_n = 10 N s/m.
FoundationColumn soft_column() {
  FoundationColumn column;
  column.stiffness_N_per_m = 1000;
  column.damping_N_s_per_m = 10;
  return column;
}

/// Of `tactels` columns each one's part of a whole contact's bristles.
LugreValues shared_out(LugreValues whole, int tactels) {
  for (const auto index : {kLugreSigma0, kLugreSigma1, kLugreViscous}) whole[index] /= tactels;
  return whole;
}

ObjectOnSensor on(const SensorDescription& sensor, const FoundationColumn& column,
                  const RigidObject& object, double depth_m = 0) {
  ObjectMotion start;
  start.tip_m = {0, 0, -depth_m};
  return *ObjectOnSensor::create(sensor, column, object, start);
}

void advance(ObjectOnSensor& body, double duration_s, double step_s) {
  const auto done = body.advance(duration_s, step_s);
  ASSERT_TRUE(done) << done.error().message;
}

RigidObject cube(double mass_kg) { return solid_block({40e-3, 40e-3, 40e-3}, mass_kg); }

// Table 3 of Moisio et al.: 0.9800, 9.7999 and 97.9899 N read, for g = 9.80 m/s^2.
TEST(ObjectOnSensor, CubesWeighWhatThePaperWeighed) {
  for (const auto& [mass_kg, paper_N] : {std::pair{0.1, 0.9800}, {1.0, 9.7999}, {10.0, 97.9899}}) {
    auto body = on(grid_sensor(14, 6, 3.4e-3), soft_column(), cube(mass_kg));
    body.set_gravity({0, 0, -9.80});
    advance(body, 2, 1e-4);
    const double read_N = sum(body.force_N());
    EXPECT_NEAR(read_N / (mass_kg * 9.80), 1, 1e-9) << mass_kg;
    EXPECT_NEAR(read_N / paper_N, 1, 2e-4) << mass_kg;
    EXPECT_NEAR(-body.motion().tip_m[2], mass_kg * 9.80 / (72 * 1000), 1e-12);
  }
}

// Figure 9 there: on a sensor tilted by 10 degrees the cube settles and stays, to ten decimals.
TEST(ObjectOnSensor, ACubeKeepsItsPlaceOnASlopeForTwentyMinutes) {
  auto column = soft_column();
  column.friction = LugreValues{1000, 1, 0.1, 0.62, 0.45, 4e-3};
  auto body = on(grid_sensor(14, 6, 3.4e-3), column, cube(1));
  const double slope_rad = 10 * std::numbers::pi / 180;
  const double along_N = 9.8 * std::sin(slope_rad), down_N = 9.8 * std::cos(slope_rad);
  body.set_gravity({0, -along_N, -down_N});
  advance(body, 5, 1e-4);
  const auto settled = body.motion().tip_m;
  EXPECT_LT(settled[1], -along_N / (72 * 1000));  // it moved down the slope until bristles held
  EXPECT_GT(settled[1], -1e-3);
  for (int minute = 0; minute < 20; ++minute) {
    advance(body, 60, 1e-2);
    for (std::size_t axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(body.motion().tip_m[axis], settled[axis], 5e-11) << minute << " " << axis;
  }
  EXPECT_NEAR(body.friction_N()[1], -along_N, 1e-9);
  EXPECT_NEAR(body.wrench().force_N[2], -down_N, 1e-3);
}

// tan 40 deg = 0.84 is more than mu_s = 0.62.
TEST(ObjectOnSensor, ACubeSlidesOffASteepSlopeAndThatIsSaid) {
  auto column = soft_column();
  column.friction = LugreValues{1000, 1, 0.1, 0.62, 0.45, 4e-3};
  auto body = on(grid_sensor(14, 6, 3.4e-3), column, cube(0.2));
  const double slope_rad = 40 * std::numbers::pi / 180;
  body.set_gravity({0, -9.8 * std::sin(slope_rad), -9.8 * std::cos(slope_rad)});
  const auto done = body.advance(10, 1e-4);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("FW-06"));
  EXPECT_LT(body.time_s(), 1);
  EXPECT_TRUE(body.motion().finite());
}

/// A block on four tactels, centre of mass in the surface: one sliding mass. They stand so far
/// apart that they carry it alike wherever it slides.
ObjectOnSensor sliding_mass(const LugreValues& whole) {
  auto column = soft_column();
  column.stiffness_N_per_m = 1e5;
  column.friction = shared_out(whole, 4);
  auto block = solid_block({8, 4, 0.02}, 0.2);
  block.centre_m = {0, 0, 0};
  auto body = on(grid_sensor(2, 2, 2), column, block, 2.0 / 4e5);
  body.set_gravity({0, 0, -10});
  return body;
}

// Oracle 9, Radau: a spring of 200 N/m pulls 0.2 kg at 3 mm/s.
TEST(ObjectOnSensor, SticksAndSlipsAsTheOracleDoes) {
  const auto oracle = oracle::json("09_lugre.json");
  const auto& expected = oracle["stick_slip"];
  const auto& set = oracle["rig_scale"];
  auto body = sliding_mass({set["s0"], set["s1"], set["ct"], set["mus"], set["mud"], set["vs"]});
  double spring_N = 0;
  body.set_pull([&](double time_s, const ObjectMotion& motion) {
    spring_N = 200 * (3e-3 * time_s - motion.tip_m[0]);
    return Vector3{spring_N, 0, 0};
  });
  std::vector<double> peaks_N, peaks_s;
  double before_N = 0, last_N = 0, fastest_m_per_s = 0;
  for (int i = 0; i < 16000; ++i) {
    advance(body, 5e-4, 1e-4);
    if (last_N > before_N && last_N >= spring_N && last_N > 1) {
      peaks_N.push_back(last_N);
      peaks_s.push_back(body.time_s() - 5e-4);
    }
    fastest_m_per_s = std::max(fastest_m_per_s, body.motion().velocity_m_per_s[0]);
    before_N = std::exchange(last_N, spring_N);
  }
  ASSERT_EQ(peaks_N.size(), expected["peaks_F"].size());
  for (std::size_t i = 0; i < peaks_N.size(); ++i)
    EXPECT_NEAR(peaks_N[i] / expected["peaks_F"][i].get<double>(), 1, 5e-3);
  const double period_s = (peaks_s.back() - peaks_s.front()) / 4;
  EXPECT_NEAR(period_s / expected["mean_period_s"].get<double>(), 1, 0.02);
  EXPECT_NEAR(fastest_m_per_s / expected["max_slip_speed"].get<double>(), 1, 0.01);
}

/// Largest distance from oracle 16 in parts of the way.
double worst_part(double step_s) {
  const auto rows = oracle::csv("16_stiff_bristle.csv");
  auto body = sliding_mass({1e6, 60, 0.8, 0.62, 0.45, 4e-3});
  body.set_pull([](double time_s, const ObjectMotion&) {
    return Vector3{1.6 * std::sin(2 * std::numbers::pi * 4 * time_s), 0, 0};
  });
  double farthest_m = 0, worst_m = 0;
  for (std::size_t i = 1; i < rows.at("t_s").size(); ++i) {
    advance(body, 0.01, step_s);
    const double x_m = rows.at("x_m")[i];
    farthest_m = std::max(farthest_m, std::abs(x_m));
    worst_m = std::max(worst_m, std::abs(body.motion().tip_m[0] - x_m));
  }
  return worst_m / farthest_m;
}

// Radau: bristles of 1e6 N/m at up to 0.14 m/s. An explicit step has to stay below 2 g / (sigma0 v)
// = 13 us. Here the error goes with the step, which is twice and eight times that.
TEST(ObjectOnSensor, FollowsStiffBristlesAsAnImplicitIntegratorDoes) {
  const double coarse = worst_part(1e-4), fine = worst_part(2.5e-5);
  EXPECT_LT(fine, 0.005);
  EXPECT_NEAR(coarse / fine, 4, 0.6);
}

// Oracle 11: a disc whose weight lies 1 mm off its centre; continuous foundation there, a fine grid
// of columns here.
TEST(ObjectOnSensor, AWeightOffItsCentreLeansAsTheFoundationSays) {
  const auto& expected = forward_oracle::oracle()["tilt_equilibrium"];
  const double pitch_m = 0.1e-3;
  FoundationColumn column;
  column.stiffness_N_per_m = expected["K_f"].get<double>() * pitch_m * pitch_m;
  column.damping_N_s_per_m = 0.05;
  RigidObject disc;
  disc.shape = forward_oracle::pin(2 * expected["disc_R_m"].get<double>());
  disc.mass_kg = 0.1;
  disc.centre_m = {expected["offset_m"], 0, 0};
  disc.inertia_kg_m2 = {1e-6, 1e-6, 1e-6};
  auto body = on(grid_sensor(110, 110, pitch_m), column, disc);
  body.set_gravity({0, 0, -10});
  advance(body, 0.3, 1e-3);
  EXPECT_NEAR(-body.motion().tip_m[2] / expected["depth_centre_m"].get<double>(), 1, 0.01);
  const double tilt_rad = std::asin(-body.motion().S_from_local[2][0]);
  EXPECT_NEAR(tilt_rad / expected["tilt_rad"].get<double>(), 1, 0.01);
  EXPECT_NEAR(body.wrench().torque_Nm[1], 1e-3, 1e-5);  // 1 N, 1 mm beside the origin
}

// Under a constant load W: d(t) = W/k [1 - k1/(k + k1) exp(-t/t_c)], t_c = tau (k + k1)/k.
TEST(ObjectOnSensor, AWeightSinksAsTheStandardLinearSolidCreeps) {
  FoundationColumn column;
  column.stiffness_N_per_m = 1000;
  column.damping_N_s_per_m = 1.2;
  column.branches = {{500, 0.4}};
  const double load_N = 1.0 / 4, creep_s = 0.4 * 1.5;
  const auto depth_m = [&](double t_s) {
    return load_N / 1000 * (1 - 500.0 / 1500 * std::exp(-t_s / creep_s));
  };
  auto body = on(grid_sensor(2, 2, 10e-3), column, solid_block({40e-3, 40e-3, 1e-3}, 1e-3));
  body.set_gravity({0, 0, -1000});  // 1 N without inertia
  advance(body, 0.1, 1e-4);
  for (int i = 0; i < 4; ++i) {
    advance(body, 0.2, 1e-4);
    EXPECT_NEAR(-body.motion().tip_m[2] / depth_m(body.time_s()), 1, 2e-3) << body.time_s();
  }
}

// A quarter of the step, a quarter of the error.
TEST(ObjectOnSensor, TheStepIsOfFirstOrder) {
  const auto place_m = [](double step_s) {
    auto body = on(grid_sensor(14, 6, 3.4e-3), soft_column(), cube(1));
    advance(body, 0.02, step_s);
    return body.motion().tip_m[2];
  };
  const double exact_m = place_m(1e-6);
  const double coarse_m = place_m(1e-4) - exact_m, fine_m = place_m(2.5e-5) - exact_m;
  EXPECT_NEAR(coarse_m / fine_m, 4, 0.3);
}

TEST(ObjectOnSensor, RefusesWhatIsNoBodyAndSaysWhatCanNotBeCarried) {
  const auto sensor = grid_sensor(14, 6, 3.4e-3);
  EXPECT_THAT(ObjectOnSensor::create(sensor, soft_column(), cube(0), {}).error().message,
              HasSubstr("FW-07"));
  ObjectMotion nowhere;
  nowhere.tip_m[0] = std::nan("");
  EXPECT_THAT(ObjectOnSensor::create(sensor, soft_column(), cube(1), nowhere).error().message,
              HasSubstr("FW-07"));
  auto heavy = on(sensor, soft_column(), cube(100));  // 980 N on 72 tactels: 13.6 mm
  EXPECT_THAT(heavy.advance(1, 1e-4).error().message, HasSubstr("beyond the range"));
  ObjectMotion beside;
  beside.tip_m = {0.1, 0, 0};
  auto falling = *ObjectOnSensor::create(sensor, soft_column(), cube(1), beside);
  EXPECT_THAT(falling.advance(1, 1e-3).error().message, HasSubstr("falls past"));
  EXPECT_THAT(falling.advance(1, std::nan("")).error().message, HasSubstr("FW-07"));
}

}  // namespace
}  // namespace tactelier
