#include "devices/ati/netft_command.hpp"

#include <cmath>

#include "devices/ati/ati_units.hpp"
#include "devices/link/bytes.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

constexpr std::uint16_t kHeader = 0x1234;
constexpr std::size_t kSystemCommands = 18;  // offset in READFT
constexpr std::uint16_t kBias = 1, kClearLatch = 2;
constexpr std::uint8_t kMillimetres = 3, kDegrees = 1, kRadians = 2;
constexpr double kHundredths = 100;
constexpr std::array<std::string_view, 7> kForceUnits{"", "lbf", "N", "klbf", "kN", "kgf", "gf"};
constexpr std::array<std::string_view, 7> kTorqueUnits{"",     "lbf-in", "lbf-ft", "N-m",
                                                       "N-mm", "kgf-cm", "kN-m"};
constexpr std::array<std::string_view, 6> kLengthUnits{"", "in", "ft", "mm", "cm", "m"};

Bytes begun(NetFtCommand command) { return {static_cast<std::uint8_t>(command)}; }

Bytes padded(Bytes request) {
  request.resize(kNetFtRequestSize);
  return request;
}

Bytes reply() {
  Bytes bytes;
  append_be(bytes, kHeader);
  return bytes;
}

Result<void> check_request(ByteView request, NetFtCommand command) {
  if (request.size() == kNetFtRequestSize && request[0] == static_cast<std::uint8_t>(command))
    return {};
  return fail(ErrorCode::kProtocol, "Net F/T command of {} bytes, {} that begin with {} expected",
              request.size(), kNetFtRequestSize, static_cast<int>(command));
}

Result<void> check_reply(ByteView reply, std::size_t size) {
  if (reply.size() == size && read_be<std::uint16_t>(reply, 0) == kHeader) return {};
  return fail(
      ErrorCode::kProtocol,
      "Net F/T reply of {} bytes, {} that begin with 12 34 expected: is this a Net F/T box?",
      reply.size(), size);
}

template <std::size_t N>
std::string_view name_of(const std::array<std::string_view, N>& names, std::uint8_t code) {
  return code < names.size() ? names[code] : std::string_view();
}

tl::unexpected<Error> unknown_unit(std::string_view what, std::uint8_t code) {
  return fail(ErrorCode::kProtocol, "Net F/T calibration: unknown {} unit {}", what, code);
}

Result<void> append_hundredths(Bytes& bytes, double value, std::string_view what) {
  const double hundredths = std::round(value * kHundredths);
  if (!(std::abs(hundredths) <= INT16_MAX))
    return fail(ErrorCode::kInvalidInput, "Net F/T transform: {} {} is beyond 327.67", what, value);
  append_be(bytes, static_cast<std::int16_t>(hundredths));
  return {};
}

}  // namespace

Bytes encode(const NetFtReadRequest& request) {
  auto bytes = padded(begun(NetFtCommand::kReadForce));
  const int bits = (request.bias ? kBias : 0) | (request.clear_latch ? kClearLatch : 0);
  bytes.back() = static_cast<std::uint8_t>(bits);
  return bytes;
}

Bytes encode_read_calibration() { return padded(begun(NetFtCommand::kReadCalibration)); }

Result<Bytes> encode(const NetFtTransform& transform) {
  auto bytes = begun(NetFtCommand::kWriteTransform);
  bytes.push_back(kMillimetres);
  bytes.push_back(kDegrees);
  for (const double move_m : transform.move_m)
    if (auto fits = append_hundredths(bytes, m_to_mm(move_m), "mm"); !fits)
      return fail(fits.error());
  for (const double turn_rad : transform.turn_rad)
    if (auto fits = append_hundredths(bytes, rad_to_deg(turn_rad), "degrees"); !fits)
      return fail(fits.error());
  return padded(std::move(bytes));
}

Bytes encode(const NetFtReading& reading) {
  auto bytes = reply();
  append_be(bytes, reading.status_high);
  for (const auto count : reading.counts) append_be(bytes, count);
  return bytes;
}

Bytes encode(const NetFtCalibration& calibration) {
  auto bytes = reply();
  bytes.push_back(calibration.force_unit);
  bytes.push_back(calibration.torque_unit);
  append_be(bytes, calibration.counts_per_force);
  append_be(bytes, calibration.counts_per_torque);
  for (const auto factor : calibration.scale_factors) append_be(bytes, factor);
  return bytes;
}

Bytes encode_acknowledge(NetFtCommand command, bool accepted) {
  auto bytes = reply();
  bytes.push_back(static_cast<std::uint8_t>(command));
  bytes.push_back(accepted ? 0 : 1);
  return bytes;
}

Result<NetFtReadRequest> decode_read_request(ByteView request) {
  return check_request(request, NetFtCommand::kReadForce).map([&] {
    const auto bits = read_be<std::uint16_t>(request, kSystemCommands);
    return NetFtReadRequest{(bits & kBias) != 0, (bits & kClearLatch) != 0};
  });
}

Result<NetFtTransform> decode_transform(ByteView request) {
  if (auto good = check_request(request, NetFtCommand::kWriteTransform); !good)
    return fail(good.error());
  const auto metre = ati_length_unit_m(name_of(kLengthUnits, request[1]));
  if (!metre) return unknown_unit("distance", request[1]);
  if (request[2] != kDegrees && request[2] != kRadians) return unknown_unit("angle", request[2]);
  NetFtTransform transform;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double move = read_be<std::int16_t>(request, 3 + 2 * axis) / kHundredths;
    const double turn = read_be<std::int16_t>(request, 9 + 2 * axis) / kHundredths;
    transform.move_m[axis] = move * *metre;
    transform.turn_rad[axis] = request[2] == kDegrees ? deg_to_rad(turn) : turn;
  }
  return transform;
}

Result<NetFtReading> decode_reading(ByteView bytes) {
  if (auto good = check_reply(bytes, kNetFtReadingSize); !good) return fail(good.error());
  NetFtReading reading;
  reading.status_high = read_be<std::uint16_t>(bytes, 2);
  for (std::size_t axis = 0; axis < 6; ++axis)
    reading.counts[axis] = read_be<std::int16_t>(bytes, 4 + 2 * axis);
  return reading;
}

Result<NetFtCalibration> decode_calibration(ByteView bytes) {
  if (auto good = check_reply(bytes, kNetFtCalibrationSize); !good) return fail(good.error());
  NetFtCalibration calibration{
      bytes[2], bytes[3], read_be<std::uint32_t>(bytes, 4), read_be<std::uint32_t>(bytes, 8), {}};
  for (std::size_t axis = 0; axis < 6; ++axis)
    calibration.scale_factors[axis] = read_be<std::uint16_t>(bytes, 12 + 2 * axis);
  return calibration;
}

Result<void> check_acknowledge(ByteView bytes, NetFtCommand command) {
  if (auto good = check_reply(bytes, kNetFtAcknowledgeSize); !good) return good;
  if (bytes[2] != static_cast<std::uint8_t>(command))
    return fail(ErrorCode::kProtocol, "Net F/T: a reply to command {} came for command {}",
                bytes[2], static_cast<int>(command));
  if (bytes[3] != 0)
    return fail(ErrorCode::kDeviceFault, "Net F/T: the box refused command {} ({})",
                static_cast<int>(command), bytes[3]);
  return {};
}

Result<ForceScale> rdt_scale(const NetFtCalibration& calibration) {
  const auto N = ati_force_unit_N(name_of(kForceUnits, calibration.force_unit));
  if (!N) return unknown_unit("force", calibration.force_unit);
  const auto Nm = ati_torque_unit_Nm(name_of(kTorqueUnits, calibration.torque_unit));
  if (!Nm) return unknown_unit("torque", calibration.torque_unit);
  if (calibration.counts_per_force == 0 || calibration.counts_per_torque == 0)
    return fail(ErrorCode::kProtocol, "Net F/T calibration: 0 counts per unit");
  ForceScale scale;
  for (std::size_t axis = 0; axis < 6; ++axis)
    scale.SI_per_count[axis] =
        axis < 3 ? *N / calibration.counts_per_force : *Nm / calibration.counts_per_torque;
  return scale;
}

Result<std::array<double, 6>> wrench_SI(const NetFtReading& reading,
                                        const NetFtCalibration& calibration) {
  return rdt_scale(calibration).map([&](const ForceScale& scale) {
    std::array<double, 6> wrench{};
    for (std::size_t axis = 0; axis < 6; ++axis)
      wrench[axis] =
          scale.SI_per_count[axis] * calibration.scale_factors[axis] * reading.counts[axis];
    return wrench;
  });
}

Result<Bytes> ask_netft(const Connector& connect, std::string_view url, ByteView request,
                        std::size_t reply_size, Timeout timeout) {
  const auto link = connect(url, timeout);
  if (!link) return fail(link.error());
  if (auto sent = (*link)->send(request, timeout); !sent) return fail(sent.error());
  Bytes reply(reply_size);
  const auto& clock = (*link)->clock();
  const auto deadline_ns = clock.now_ns() + to_ns(timeout);
  for (std::size_t have = 0; have < reply_size;) {
    const auto got =
        (*link)->receive(std::span(reply).subspan(have), time_left(deadline_ns, clock.now_ns()));
    if (!got) return fail(got.error());
    have += got->size;
  }
  return reply;
}

}  // namespace tactelier::devices
