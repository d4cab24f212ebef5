#include "devices/emulator/wrench_board.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tactelier::devices {

std::vector<double> readings_of_wrench(const DeviceDescription& device,
                                       const std::array<double, 6>& wrench_SI) {
  if (!device.wrench) return {};
  Eigen::Matrix<double, 6, 6> worth;
  Eigen::Matrix<double, 6, 1> wrench;
  for (int axis = 0; axis < 6; ++axis) {
    const auto row = static_cast<std::size_t>(axis);
    wrench[axis] = wrench_SI[row];
    for (int reading = 0; reading < 6; ++reading)
      worth(axis, reading) = device.wrench->SI_per_reading[row][static_cast<std::size_t>(reading)];
  }
  const auto inverse = worth.fullPivLu();
  if (!inverse.isInvertible()) return {};
  const Eigen::Matrix<double, 6, 1> solved = inverse.solve(wrench);
  std::vector<double> readings(solved.begin(), solved.end());
  if (const auto range = device.reading_range())
    for (auto& reading : readings)
      reading = std::clamp(std::round(reading), range->first, range->second);
  return readings;
}

double framed_rate_hz(const DeviceDescription& device, double wanted_hz) {
  constexpr double kBitsPerByte = 10, kUsed = 0.9;
  if (!device.poll.empty()) return 1000.0 / static_cast<double>(device.poll_every.count());
  const auto frame = encode_frame(device, std::vector<double>(device.shape.size()), 0, 0);
  const double most_hz =
      device.baud ? kUsed * *device.baud / kBitsPerByte / static_cast<double>(frame.size())
                  : wanted_hz;
  double rate_hz = 10;
  for (const double usual_hz : {20.0, 50.0, 100.0, 200.0, 400.0, 500.0, 800.0, 1000.0})
    if (usual_hz <= std::min(most_hz, wanted_hz)) rate_hz = usual_hz;
  return rate_hz;
}

FramedBoard wrench_board(const DeviceDescription& device, double rate_hz,
                         const std::array<double, 6>& full_scale_SI) {
  FramedBoard board;
  board.rate_hz = rate_hz;
  board.at_end = readings_of_wrench(device, {0, 0, -2 * full_scale_SI[2], 0, 0, 0});
  return board;
}

CountsSource counts_of_wrench(DeviceDescription device, WrenchSource wrench) {
  return [device = std::move(device), wrench = std::move(wrench)](std::int64_t time_ns) {
    return readings_of_wrench(device, wrench(time_ns));
  };
}

}  // namespace tactelier::devices
