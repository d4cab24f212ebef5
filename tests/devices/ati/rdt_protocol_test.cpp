// Vectors: docs/wire-formats.md 1, from the manual and from netft/ros-netft's emulator.
#include "devices/ati/rdt_protocol.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "tests/devices/support/hex.hpp"

namespace tactelier::devices {
namespace {

using testing::HasSubstr;

const Bytes kRecordA = from_hex(
    "00 00 00 01 12 34 56 78 00 00 00 00 00 13 12 D0 FF F8 5E E0 FF 48 E5 00 00 00 3A 98 FF FF F8 "
    "30 00 00 00 00");
const Bytes kRecordB = from_hex(
    "FF FF FF FF 00 00 1B 58 80 02 00 00 80 00 00 00 7F FF FF FF FF FF FF FF 00 00 00 01 00 00 00 "
    "00 FF F0 BD C0");
const Bytes kRecordC = from_hex(
    "00 00 00 01 00 00 12 30 00 00 00 00 00 00 00 64 FF FF FF 38 00 00 01 2C 00 00 00 0A FF FF FF "
    "EC 00 00 00 1E");

const RdtRecord kA{1, 0x12345678, 0, {1250000, -500000, -12000000, 15000, -2000, 0}};
const RdtRecord kB{4294967295, 7000, 0x80020000, {INT32_MIN, 2147483647, -1, 1, 0, -1000000}};
const RdtRecord kC{1, 0x1230, 0, {100, -200, 300, 10, -20, 30}};

TEST(RdtRequest, HasTheBytesOfTheManual) {
  EXPECT_EQ(encode({RdtCommand::kStop, 0}), from_hex("12 34 00 00 00 00 00 00"));
  EXPECT_EQ(encode({RdtCommand::kStart, 0}), from_hex("12 34 00 02 00 00 00 00"));
  EXPECT_EQ(encode({RdtCommand::kStart, 1}), from_hex("12 34 00 02 00 00 00 01"));
  EXPECT_EQ(encode({RdtCommand::kStartBuffered, 0}), from_hex("12 34 00 03 00 00 00 00"));
  EXPECT_EQ(encode({RdtCommand::kStartMultiUnit, 0}), from_hex("12 34 00 04 00 00 00 00"));
  EXPECT_EQ(encode({RdtCommand::kSetSpeed, 10}), from_hex("12 34 00 82 00 00 00 0A"));
  EXPECT_EQ(encode({RdtCommand::kClearLatch, 0}), from_hex("12 34 00 41 00 00 00 00"));
  EXPECT_EQ(encode({RdtCommand::kBias, 0}), from_hex("12 34 00 42 00 00 00 00"));
}

TEST(RdtRequest, IsReadOnlyWhenItHasEightBytesAndTheHeader) {
  const auto request = decode_rdt_request(from_hex("12 34 00 02 00 00 00 0A"));
  ASSERT_TRUE(request);
  EXPECT_EQ(request->command, RdtCommand::kStart);
  EXPECT_EQ(request->count, 10U);
  EXPECT_FALSE(decode_rdt_request(from_hex("12 34 00 02 00 00 00")));
  EXPECT_FALSE(decode_rdt_request(from_hex("12 34 80 02 00 00 00 0A C0 A8 01 02 C0 00")));
  EXPECT_FALSE(decode_rdt_request(from_hex("34 12 00 02 00 00 00 0A")));
}

TEST(RdtRecord, IsReadAsTheManualPrintsIt) {
  EXPECT_THAT(*decode_rdt_records(kRecordA), testing::ElementsAre(kA));
  EXPECT_THAT(*decode_rdt_records(kRecordB), testing::ElementsAre(kB));
  EXPECT_THAT(*decode_rdt_records(kRecordC), testing::ElementsAre(kC));
}

TEST(RdtRecord, IsWrittenAsItIsRead) {
  for (const auto& [record, bytes] :
       {std::pair(kA, kRecordA), std::pair(kB, kRecordB), std::pair(kC, kRecordC)}) {
    Bytes written;
    append(written, record);
    EXPECT_EQ(written, bytes);
  }
}

TEST(RdtRecord, StandsBackToBackInABufferedDatagram) {
  auto two = kRecordA;
  two.insert(two.end(), kRecordA.begin(), kRecordA.end());
  two[36 + 3] = 2;
  const auto records = decode_rdt_records(two);
  ASSERT_TRUE(records);
  ASSERT_EQ(records->size(), 2U);
  EXPECT_EQ((*records)[1].rdt_sequence, 2U);
  EXPECT_EQ((*records)[1].counts, kA.counts);
}

TEST(RdtRecord, IsRefusedWhenADatagramIsNotWholeRecords) {
  EXPECT_THAT(decode_rdt_records({}).error().message, HasSubstr("0 bytes"));
  EXPECT_FALSE(decode_rdt_records(Bytes(35)));
  EXPECT_FALSE(decode_rdt_records(Bytes(37)));
  EXPECT_TRUE(decode_rdt_records(Bytes(36 * 40)));
  EXPECT_FALSE(decode_rdt_records(Bytes(36 * 41)));
}

RC_GTEST_PROP(RdtRecord, SurvivesAnyDatagram, (const Bytes& bytes)) {
  const auto records = decode_rdt_records(bytes);
  RC_ASSERT(records.has_value() ==
            (!bytes.empty() && bytes.size() % 36 == 0 && bytes.size() <= 1440));
  decode_rdt_request(bytes);
}

TEST(RdtStatus, TellsSaturationFromAWarning) {
  EXPECT_FALSE(rdt_wrench_is_valid(0x80020000));
  EXPECT_TRUE(rdt_wrench_is_valid(0x80010000));
  EXPECT_TRUE(rdt_wrench_is_valid(0));
  EXPECT_FALSE(rdt_wrench_is_valid(0x80000100));  // gage excitation current too low
  EXPECT_TRUE(rdt_wrench_is_valid(0x80040000));   // DeviceNet error
}

TEST(RdtStatus, NamesEveryBitOfTheManual) {
  // docs/wire-formats.md 1, bits 30 to 1 without the unused 15.
  const std::vector<std::pair<unsigned, const char*>> bits{{30, "CPU or RAM"},
                                                           {29, "digital board"},
                                                           {28, "analog board"},
                                                           {27, "serial link"},
                                                           {26, "program memory"},
                                                           {25, "configuration errors"},
                                                           {24, "settings"},
                                                           {23, "calibration"},
                                                           {22, "network"},
                                                           {21, "CAN"},
                                                           {20, "RDT"},
                                                           {19, "EtherNet/IP"},
                                                           {18, "DeviceNet"},
                                                           {17, "saturation"},
                                                           {16, "monitor condition"},
                                                           {14, "watchdog reset"},
                                                           {13, "stack check"},
                                                           {12, "EEPROM"},
                                                           {11, "flash"},
                                                           {10, "watchdog"},
                                                           {9, "current too high"},
                                                           {8, "current too low"},
                                                           {7, "ground"},
                                                           {6, "supply too high"},
                                                           {5, "supply too low"},
                                                           {4, "data unavailable"},
                                                           {3, "reference voltage"},
                                                           {2, "temperature"},
                                                           {1, "HTTP"}};
  for (const auto& [bit, words] : bits)
    EXPECT_THAT(describe_rdt_status(1U << bit), HasSubstr(words)) << bit;
}

TEST(RdtStatus, IsSaidInWords) {
  EXPECT_EQ(describe_rdt_status(0), "");
  EXPECT_EQ(describe_rdt_status(0x80020000), "transducer saturation or A/D error");
  EXPECT_EQ(describe_rdt_status(0x80010004), "monitor condition latched; internal temperature");
  EXPECT_EQ(describe_rdt_status(0xC0000000), "CPU or RAM error");
  EXPECT_THAT(describe_rdt_status(0x80000000), HasSubstr("doesn't name"));
}

}  // namespace
}  // namespace tactelier::devices
