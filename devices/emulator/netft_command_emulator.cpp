#include <algorithm>
#include <cmath>

#include "devices/ati/netft_command.hpp"
#include "devices/emulator/netft_emulator.hpp"

namespace tactelier::devices {
namespace {

constexpr std::int64_t kAnswer_ns = 300'000;
constexpr std::uint8_t kNewtons = 2, kNewtonMillimetres = 4;
constexpr double kSpare = 1.06;  // of 16 bits above the range
constexpr double kMost = INT16_MAX;

NetFtCalibration calibration_of(const NetFtBox& box) {
  NetFtCalibration calibration;
  calibration.force_unit = kNewtons;
  calibration.torque_unit = kNewtonMillimetres;
  calibration.counts_per_force = static_cast<std::uint32_t>(std::lround(box.counts_per_N));
  calibration.counts_per_torque = static_cast<std::uint32_t>(std::lround(box.counts_per_Nm / 1e3));
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const double counts = box.ratings[axis] * (axis < 3 ? box.counts_per_N : box.counts_per_Nm);
    calibration.scale_factors[axis] =
        static_cast<std::uint16_t>(std::clamp(std::ceil(kSpare * counts / kMost), 1.0, 65535.0));
  }
  return calibration;
}

}  // namespace

Bytes NetFtCommandEmulator::read_force(ByteView bytes, std::int64_t now_ns) {
  const auto request = decode_read_request(bytes);
  if (request && request->bias) measuring_.set_bias(now_ns);
  if (request && request->clear_latch) measuring_.clear_latch();
  const auto wrench = measuring_.wrench_at(now_ns);
  const auto scale_factors = calibration_of(box_).scale_factors;
  NetFtReading reading;
  reading.status_high = static_cast<std::uint16_t>(measuring_.status_at(now_ns) >> 16U);
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const double counts = wrench[axis] * (axis < 3 ? box_.counts_per_N : box_.counts_per_Nm);
    const double counts16 = std::round(counts / scale_factors[axis]);
    reading.counts[axis] = static_cast<std::int16_t>(std::clamp(counts16, -kMost, kMost));
  }
  return encode(reading);
}

Bytes NetFtCommandEmulator::answer(ByteView request, std::int64_t now_ns) {
  const auto command = static_cast<NetFtCommand>(request[0]);
  if (command == NetFtCommand::kReadForce) return read_force(request, now_ns);
  if (command == NetFtCommand::kReadCalibration) return encode(calibration_of(box_));
  if (command != NetFtCommand::kWriteTransform) return encode_acknowledge(command, false);
  const auto transform = decode_transform(request);
  const bool accepted = transform && transform->turn_rad == Vector3{};
  if (accepted) box_.tool_m = transform->move_m;
  return encode_acknowledge(command, accepted);
}

void NetFtCommandEmulator::receive(ByteView bytes, int peer, std::int64_t now_ns) {
  auto& waiting = requests_[peer];
  waiting.insert(waiting.end(), bytes.begin(), bytes.end());
  while (waiting.size() >= kNetFtRequestSize) {
    wire_.send(now_ns + kAnswer_ns, answer(ByteView(waiting).first(kNetFtRequestSize), now_ns),
               peer);
    waiting.erase(waiting.begin(), waiting.begin() + kNetFtRequestSize);
  }
}

}  // namespace tactelier::devices
