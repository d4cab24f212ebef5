// Vectors: docs/wire-formats.md 1, the TCP command interface.
#include "devices/ati/netft_command.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

const Bytes kCalibrationReply =
    from_hex("12 34 02 03 00 0F 42 40 00 0F 42 40 01 86 01 86 02 26 00 04 00 04 00 04");
const Bytes kReadingReply = from_hex("12 34 00 00 00 64 FF 38 AA C6 00 00 00 00 00 00");
const Bytes kTransformRequest =
    from_hex("02 03 01 00 00 00 00 09 C4 00 00 00 00 00 00 00 00 00 00 00");
const NetFtCalibration kNanoInNewtons{2, 3, 1'000'000, 1'000'000, {390, 390, 550, 4, 4, 4}};

TEST(NetFtCommand, HasTheBytesOfTheManual) {
  EXPECT_EQ(encode(NetFtReadRequest{}), Bytes(20));
  auto bias = Bytes(20);
  bias.back() = 1;
  EXPECT_EQ(encode(NetFtReadRequest{true, false}), bias);
  EXPECT_TRUE(decode_read_request(bias)->bias);
  EXPECT_FALSE(decode_read_request(bias)->clear_latch);
  auto calibration = Bytes(20);
  calibration.front() = 1;
  EXPECT_EQ(encode_read_calibration(), calibration);
  EXPECT_EQ(encode(NetFtTransform{{0, 0, 25e-3}, {}}).value(), kTransformRequest);
  EXPECT_EQ(encode_acknowledge(NetFtCommand::kWriteTransform, true), from_hex("12 34 02 00"));
}

TEST(NetFtCommand, ReadsTheCalibrationOfTheManual) {
  const auto calibration = decode_calibration(kCalibrationReply);
  ASSERT_TRUE(calibration) << calibration.error().message;
  EXPECT_EQ(*calibration, kNanoInNewtons);
  EXPECT_EQ(encode(*calibration), kCalibrationReply);
  const auto scale = rdt_scale(*calibration);
  ASSERT_TRUE(scale);
  EXPECT_THAT(scale->SI_per_count, ElementsAre(1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6));
}

TEST(NetFtCommand, ReadsTheForceOfTheManualAsTwosComplement) {
  const auto reading = decode_reading(kReadingReply);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_THAT(reading->counts, ElementsAre(100, -200, -21818, 0, 0, 0));
  EXPECT_EQ(encode(*reading), kReadingReply);
  const auto wrench = wrench_SI(*reading, kNanoInNewtons);
  ASSERT_TRUE(wrench);
  EXPECT_THAT(*wrench, ElementsAre(DoubleNear(0.039, 1e-12), DoubleNear(-0.078, 1e-12),
                                   DoubleNear(-11.9999, 1e-9), 0, 0, 0));
}

TEST(NetFtCommand, TurnsEveryUnitOfTheBoxIntoNewtons) {
  auto calibration = kNanoInNewtons;
  calibration.counts_per_force = calibration.counts_per_torque = 1;
  const double pound_N = 4.4482216152605, g = 9.80665;
  const std::array force_N{pound_N, 1.0, 1e3 * pound_N, 1e3, g, 1e-3 * g};
  const std::array torque_Nm{pound_N * 0.0254, pound_N * 0.3048, 1.0, 1e-3, 1e-2 * g, 1e3};
  for (std::uint8_t code = 1; code <= 6; ++code) {
    calibration.force_unit = calibration.torque_unit = code;
    const auto scale = rdt_scale(calibration);
    ASSERT_TRUE(scale) << int{code};
    EXPECT_DOUBLE_EQ(scale->SI_per_count[0], force_N[code - 1U]);
    EXPECT_DOUBLE_EQ(scale->SI_per_count[5], torque_Nm[code - 1U]);
  }
  calibration.force_unit = 7;
  EXPECT_THAT(rdt_scale(calibration).error().message, HasSubstr("unknown force unit 7"));
  calibration = kNanoInNewtons;
  calibration.torque_unit = 0;
  EXPECT_THAT(rdt_scale(calibration).error().message, HasSubstr("unknown torque unit 0"));
  calibration = kNanoInNewtons;
  calibration.counts_per_torque = 0;
  EXPECT_THAT(rdt_scale(calibration).error().message, HasSubstr("0 counts"));
}

TEST(NetFtCommand, ReadsATransformInAnyUnit) {
  const auto mm = decode_transform(kTransformRequest);
  ASSERT_TRUE(mm);
  EXPECT_THAT(mm->move_m, ElementsAre(0, 0, DoubleNear(25e-3, 1e-15)));
  // 1.00 in, -0.50 in, 0; 0, 0, 1.57 rad
  const auto inches =
      decode_transform(from_hex("02 01 02 00 64 FF CE 00 00 00 00 00 00 00 9D 00 00 00 00 00"));
  ASSERT_TRUE(inches);
  EXPECT_THAT(inches->move_m,
              ElementsAre(DoubleNear(0.0254, 1e-15), DoubleNear(-0.0127, 1e-15), 0));
  EXPECT_NEAR(inches->turn_rad[2], 1.57, 1e-12);
  auto strange = kTransformRequest;
  strange[1] = 6;
  EXPECT_THAT(decode_transform(strange).error().message, HasSubstr("distance unit 6"));
  EXPECT_FALSE(encode(NetFtTransform{{0.4, 0, 0}, {}}));  // 400 mm do not fit
}

TEST(NetFtCommand, KnowsARefusalFromAnAcknowledgement) {
  const auto command = NetFtCommand::kWriteTransform;
  EXPECT_TRUE(check_acknowledge(from_hex("12 34 02 00"), command));
  EXPECT_EQ(check_acknowledge(from_hex("12 34 02 01"), command).error().code,
            ErrorCode::kDeviceFault);
  EXPECT_EQ(check_acknowledge(from_hex("12 34 03 00"), command).error().code, ErrorCode::kProtocol);
  EXPECT_EQ(check_acknowledge(from_hex("34 12 02 00"), command).error().code, ErrorCode::kProtocol);
}

RC_GTEST_PROP(NetFtCommand, SurvivesAnyBytes, (Bytes bytes)) {
  if (*rc::gen::arbitrary<bool>()) bytes.resize(20);
  (void)decode_read_request(bytes);
  (void)decode_transform(bytes);
  (void)decode_reading(bytes);
  (void)decode_calibration(bytes).and_then(rdt_scale);
  (void)check_acknowledge(bytes, NetFtCommand::kWriteTransform);
}

}  // namespace
}  // namespace tactelier::devices
