#include "devices/ati/rdt_protocol.hpp"

#include "devices/link/bytes.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint16_t kHeader = 0x1234;

/// From bit 0 on.
constexpr std::array<std::string_view, 31> kStatusTexts{
    "bit 0",
    "HTTP failure",
    "internal temperature",
    "reference voltage or power",
    "serial link data unavailable",
    "analog supply too low",
    "analog supply too high",
    "artificial analog ground out of range",
    "gage excitation current too low",
    "gage excitation current too high",
    "analog board watchdog",
    "serial flash failure",
    "serial EEPROM failure",
    "stack check failure",
    "watchdog reset",
    "bit 15",
    "monitor condition latched",
    "transducer saturation or A/D error",
    "DeviceNet error",
    "EtherNet/IP error",
    "RDT communication error",
    "CAN error",
    "network communication failure",
    "configuration not compatible with the calibration",
    "settings validation error",
    "halted because of configuration errors",
    "program memory verify error",
    "serial link communication error",
    "analog board error",
    "digital board error",
    "CPU or RAM error"};

constexpr std::uint32_t bits(std::initializer_list<unsigned> numbers) {
  std::uint32_t mask = 0;
  for (const auto number : numbers) mask |= 1U << number;
  return mask;
}

constexpr std::uint32_t kWrenchMeaningless =
    bits({3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 17, 23, 24, 25, 26, 27, 28, 29, 30});

}  // namespace

Bytes encode(const RdtRequest& request) {
  Bytes bytes;
  append_be(bytes, kHeader);
  append_be(bytes, static_cast<std::uint16_t>(request.command));
  append_be(bytes, request.count);
  return bytes;
}

Result<RdtRequest> decode_rdt_request(ByteView datagram) {
  if (datagram.size() != kRdtRequestSize)
    return fail(ErrorCode::kProtocol, "RDT request of {} bytes, 8 expected", datagram.size());
  if (read_be<std::uint16_t>(datagram, 0) != kHeader)
    return fail(ErrorCode::kProtocol, "RDT request does not begin with 12 34");
  return RdtRequest{static_cast<RdtCommand>(read_be<std::uint16_t>(datagram, 2)),
                    read_be<std::uint32_t>(datagram, 4)};
}

void append(Bytes& datagram, const RdtRecord& record) {
  append_be(datagram, record.rdt_sequence);
  append_be(datagram, record.ft_sequence);
  append_be(datagram, record.status);
  for (const auto count : record.counts) append_be(datagram, count);
}

Result<std::vector<RdtRecord>> decode_rdt_records(ByteView datagram) {
  const auto records = datagram.size() / kRdtRecordSize;
  if (records == 0 || records > kMaxRdtRecords || datagram.size() % kRdtRecordSize != 0)
    return fail(ErrorCode::kProtocol, "RDT datagram of {} bytes, 1 to 40 records of 36 expected",
                datagram.size());
  std::vector<RdtRecord> decoded(records);
  for (std::size_t i = 0; i < records; ++i) {
    const auto bytes = datagram.subspan(i * kRdtRecordSize, kRdtRecordSize);
    decoded[i] = {read_be<std::uint32_t>(bytes, 0),
                  read_be<std::uint32_t>(bytes, 4),
                  read_be<std::uint32_t>(bytes, 8),
                  {}};
    for (std::size_t axis = 0; axis < 6; ++axis)
      decoded[i].counts[axis] = read_be<std::int32_t>(bytes, 12 + 4 * axis);
  }
  return decoded;
}

bool rdt_wrench_is_valid(std::uint32_t status) { return (status & kWrenchMeaningless) == 0; }

std::string describe_rdt_status(std::uint32_t status) {
  std::string text;
  for (std::size_t bit = kStatusTexts.size(); bit-- > 0;) {
    if ((status >> bit & 1U) == 0) continue;
    if (!text.empty()) text += "; ";
    text += kStatusTexts[bit];
  }
  if (text.empty() && status != 0) text = "an error that the box doesn't name";
  return text;
}

}  // namespace tactelier::devices
