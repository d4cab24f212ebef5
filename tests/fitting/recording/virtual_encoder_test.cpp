// Truth: oracles/14_moves.json (gen_14_moves.py steps through time; NumPy) and worked numbers.
#include "fitting/recording/virtual_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fitting/recording/axis_turns.hpp"
#include "tests/fitting/statistics/oracle_files.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kZ = 2;

CommandedPath oracle_path(const nlohmann::json& oracle) {
  std::vector<Move> moves;
  for (const auto& line : oracle["lines"]) {
    Move move;
    move.line = static_cast<int>(moves.size());
    move.from_m[kZ] = line["from_mm"].get<double>() * 1e-3;
    move.to_m[kZ] = line["to_mm"].get<double>() * 1e-3;
    move.speed_m_per_s = line["speed_mm_s"].get<double>() * 1e-3;
    move.acceleration_m_per_s2 = line["acceleration_mm_s2"].get<double>() * 1e-3;
    move.queued_s = line["queued_s"];
    moves.push_back(move);
  }
  moves.at(oracle["stopped"]["line"]).stopped_s = oracle["stopped"]["at_s"].get<double>();
  return CommandedPath(moves);
}

AxisDrive oracle_drive(const nlohmann::json& oracle) {
  AxisDrive drive;
  drive.delay_s = oracle["delay_s"];
  drive.step_m = oracle["step_um"].get<double>() * 1e-6;
  drive.backlash_m = oracle["play_um"].get<double>() * 1e-6;
  for (std::size_t i = 0; i < drive.microstep.size(); ++i) {
    const auto& wave = oracle["harmonics"][i];
    drive.microstep[i] = {wave["amplitude_um"].get<double>() * 1e-6,
                          wave["period_um"].get<double>() * 1e-6, wave["phase_rad"]};
  }
  return drive;
}

double largest_difference_um(const std::vector<double>& places_m,
                             const std::vector<double>& expected_um) {
  double largest = places_m.size() == expected_um.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(places_m.size(), expected_um.size()); ++i)
    largest = std::max(largest, std::abs(places_m[i] * 1e6 - expected_um[i]));
  return largest;
}

class VirtualEncoder : public testing::Test {
 protected:
  nlohmann::json oracle_ = oracle::json("14_moves.json");
  oracle::Columns rows_ = oracle::csv("14_moves.csv");
  CommandedPath path_ = oracle_path(oracle_);
  AxisDrive drive_ = oracle_drive(oracle_);
};

TEST_F(VirtualEncoder, FollowsTheOraclesCommand) {
  AxisDrive late;
  late.delay_s = drive_.delay_s;
  const auto places_m = virtual_encoder_m(path_, kZ, late, rows_.at("t_s"));
  EXPECT_LT(largest_difference_um(places_m, rows_.at("told_um")), 1e-4);
}

TEST_F(VirtualEncoder, FollowsTheOraclesScrewThatDownDrives) {
  const auto places_m = virtual_encoder_m(path_, kZ, drive_, rows_.at("t_s"));
  EXPECT_LT(largest_difference_um(places_m, rows_.at("down_um")), 1e-5);
}

TEST_F(VirtualEncoder, FollowsTheOraclesScrewThatUpDrives) {
  drive_.up_drives = true;
  const auto places_m = virtual_encoder_m(path_, kZ, drive_, rows_.at("t_s"));
  EXPECT_LT(largest_difference_um(places_m, rows_.at("up_um")), 1e-5);
}

TEST_F(VirtualEncoder, IsTheSameAtEveryRate) {
  const std::vector few{0.4, 1.0, 2.0, 3.1};
  std::vector<double> many;
  for (int i = 0; i <= 3100; ++i) many.push_back(i * 1e-3);
  const auto sparse_m = virtual_encoder_m(path_, kZ, drive_, few);
  const auto dense_m = virtual_encoder_m(path_, kZ, drive_, many);
  for (std::size_t i = 0; i < few.size(); ++i)
    EXPECT_NEAR(sparse_m[i], dense_m[static_cast<std::size_t>(few[i] * 1e3 + 0.5)], 1e-12);
}

TEST(AxisDrive, AddsItsHarmonics) {
  AxisDrive drive;
  drive.microstep = {{{5e-6, 40e-6, std::numbers::pi / 2}, {2e-6, 20e-6, 0}}};
  // 5 sin(pi/2 + pi/2) + 2 sin(pi) at a quarter of 40 um; 5 sin(pi/2 + pi/4) + 2 sin(pi/2) at 5 um
  EXPECT_NEAR(drive.microstep_error_m(10e-6), 0, 1e-18);
  EXPECT_NEAR(drive.microstep_error_m(5e-6), 5.535533905932738e-6, 1e-17);
}

TEST(VirtualEncoderOfNothing, SaysNothing) {
  EXPECT_TRUE(virtual_encoder_m({}, kZ, {}, std::vector{1.0}).empty());
}

/// The oracle's line there and back along y.
CommandedPath rung_path(const nlohmann::json& oracle) {
  std::vector<Move> moves(2);
  for (int i = 0; i < 2; ++i) {
    auto& move = moves[static_cast<std::size_t>(i)];
    move.line = i + 1;
    (i == 0 ? move.to_m : move.from_m)[1] = oracle["way_mm"].get<double>() * 1e-3;
    move.speed_m_per_s = oracle["speed_mm_s"].get<double>() * 1e-3;
    move.acceleration_m_per_s2 = oracle["acceleration_mm_s2"].get<double>() * 1e-3;
    move.queued_s = oracle["begin_s"][static_cast<std::size_t>(i)];
  }
  return CommandedPath(moves);
}

// oracles/17_rung_steps.json: when each step is due in closed form, SciPy's DOP853 between them.
TEST(RungEncoder, FollowsTheOraclesRotorThatRingsFromWhenAStepIsDue) {
  const auto oracle = oracle::json("17_rung_steps.json");
  AxisDrive drive;
  drive.step_m = oracle["step_um"].get<double>() * 1e-6;
  drive.backlash_m = oracle["play_um"].get<double>() * 1e-6;
  drive.up_drives = true;
  drive.microstep[0] = {oracle["microstep_error_um"].get<double>() * 1e-6,
                        oracle["full_step_um"].get<double>() * 1e-6, oracle["phase_rad"]};
  const std::vector<double> expected_um = oracle["spring_um"];
  const double tick_s = oracle["tick_s"];
  std::vector<double> times_s;
  for (std::size_t i = 0; i < expected_um.size(); ++i)
    times_s.push_back(static_cast<double>(i) * tick_s);
  AxisRing ring{oracle["ring_hz"], oracle["damping"]};
  const auto path = rung_path(oracle);
  const auto places_m = rung_encoder_m(path, 1, drive, ring, tick_s, times_s);
  EXPECT_LT(largest_difference_um(places_m, expected_um), 0.02);
  // On the field of a motor, kicked once per tick: a tenth of what the field changes.
  const std::vector<double> on_field_um = oracle["field_with_microstep_error_um"];
  EXPECT_GT(largest_difference_um(places_m, on_field_um), 0.4);
  ring.field_m = oracle["field_um"].get<double>() * 1e-6;
  const auto held_m = rung_encoder_m(path, 1, drive, ring, tick_s, times_s);
  EXPECT_LT(largest_difference_um(held_m, on_field_um), 0.05);
  // Not what a tip does that is where its steps are: by twice a step.
  const auto jumps_m = virtual_encoder_m(path, 1, drive, times_s);
  EXPECT_GT(largest_difference_um(jumps_m, expected_um), 5);
}

AxisDrive::Harmonic moved_wave(AxisDrive::Harmonic wave, double cos_m, double sin_m) {
  cos_m += wave.amplitude_m * std::cos(wave.phase_rad);
  sin_m += wave.amplitude_m * std::sin(wave.phase_rad);
  wave.amplitude_m = std::hypot(cos_m, sin_m);
  wave.phase_rad = std::atan2(sin_m, cos_m);
  return wave;
}

/// Of the places by one parameter of axis and ring, against differences: relative, root mean
/// square.
double slopes_off(const AxisTurns& turns, const AxisDrive& drive, const AxisRing& ring,
                  AxisParameter parameter, bool rings) {
  const double step = parameter < kAxisLogRing ? 1e-9 : 1e-5;
  const auto moved = [&](double by) {
    auto other = drive;
    auto other_ring = ring;
    if (parameter == kAxisBacklash) other.backlash_m += by;
    if (parameter == kAxisRippleCos) other.microstep[0] = moved_wave(drive.microstep[0], by, 0);
    if (parameter == kAxisRippleSin) other.microstep[0] = moved_wave(drive.microstep[0], 0, by);
    if (parameter == kAxisSecondCos) other.microstep[1] = moved_wave(drive.microstep[1], by, 0);
    if (parameter == kAxisSecondSin) other.microstep[1] = moved_wave(drive.microstep[1], 0, by);
    if (parameter == kAxisLogRing) other_ring.frequency_hz *= std::exp(by);
    if (parameter == kAxisRingDamping) other_ring.damping += by;
    return turned_axis_m(turns, other, rings ? &other_ring : nullptr, nullptr);
  };
  std::vector<AxisSlopes> slopes;
  turned_axis_m(turns, drive, rings ? &ring : nullptr, &slopes);
  const auto up = moved(step), down = moved(-step);
  double off = 0, size = 0;
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double numeric = (up[i] - down[i]) / (2 * step);
    off += std::pow(slopes[i][parameter] - numeric, 2);
    size += numeric * numeric;
  }
  EXPECT_GT(size, 0) << parameter;
  return std::sqrt(off / size);
}

TEST(RungEncoder, HasSlopesThatAgreeWithDifferences) {
  const auto oracle = oracle::json("17_rung_steps.json");
  AxisDrive drive;
  drive.step_m = oracle["step_um"].get<double>() * 1e-6;
  drive.backlash_m = 7.3e-6;  // of which no place of the command is a multiple
  const double full_step_m = oracle["full_step_um"].get<double>() * 1e-6;
  drive.microstep = {{{3e-6, full_step_m, 0.7}, {0.8e-6, full_step_m / 2, -0.4}}};
  const AxisRing ring{90, 0.1, 4 * full_step_m};
  std::vector<double> times_s;
  for (int i = 0; i < 1000; ++i) times_s.push_back(0.02 + i * 0.5e-3);  // there and back
  for (const bool up_drives : {true, false})
    for (const double step_m : {drive.step_m, 0.0}) {
      drive.up_drives = up_drives;
      const auto turns = axis_turns(rung_path(oracle), 1, step_m, 0, 0.5e-3, times_s);
      for (const auto parameter : {kAxisBacklash, kAxisRippleCos, kAxisRippleSin, kAxisSecondCos,
                                   kAxisSecondSin, kAxisLogRing, kAxisRingDamping})
        for (const bool rings : {false, true}) {
          if (rings ? step_m == 0 : parameter >= kAxisLogRing) continue;
          EXPECT_LT(slopes_off(turns, drive, ring, parameter, rings), 1e-4)
              << up_drives << step_m << parameter << rings;
        }
    }
}

TEST(TurnedAxis, IsWhereTheScrewPutsItWithBothHarmonics) {
  const auto oracle = oracle::json("17_rung_steps.json");
  AxisDrive drive;
  drive.step_m = 2.5e-6;
  drive.backlash_m = 7.3e-6;
  drive.up_drives = true;
  std::vector<double> times_s;
  for (int i = 0; i < 1000; ++i) times_s.push_back(0.02 + i * 0.5e-3);
  const auto path = rung_path(oracle);
  for (const double full_step_m : {40e-6, 37e-6}) {  // looked up; of no whole steps
    drive.microstep = {{{4e-6, full_step_m, 0.7}, {1.1e-6, full_step_m / 2, -0.4}}};
    const auto turns = axis_turns(path, 1, drive.step_m, 0, 0.5e-3, times_s);
    const auto places_m = turned_axis_m(turns, drive, nullptr, nullptr);
    const auto screw_m = virtual_encoder_m(path, 1, drive, times_s);
    ASSERT_EQ(places_m.size(), screw_m.size());
    for (std::size_t i = 0; i < places_m.size(); ++i)
      ASSERT_NEAR(places_m[i], screw_m[i], 1e-12) << i;
  }
}

TEST(RungEncoder, HasComeToRestWhereTimesAreFarApart) {
  const auto oracle = oracle::json("17_rung_steps.json");
  AxisDrive drive;
  drive.step_m = 2.5e-6;
  drive.up_drives = true;
  const std::vector<double> times_s{0.06, 0.0605, 0.3, 0.3005};
  const auto places_m = rung_encoder_m(rung_path(oracle), 1, drive, {90, 0.1}, 0.5e-3, times_s);
  EXPECT_NE(places_m[0], places_m[1]);
  EXPECT_NEAR(places_m[2], 300e-6, 1e-12);
  EXPECT_NEAR(places_m[3], 300e-6, 1e-12);
}

}  // namespace
}  // namespace tactelier
