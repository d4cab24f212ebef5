#pragma once
// A six-axis force sensor of any make that a description covers: what a FramedEmulator of it sends
// while a wrench acts.

#include "devices/emulator/framed_emulator.hpp"
#include "devices/emulator/netft_emulator.hpp"

namespace tactelier::devices {

/// The readings that the description turns into the wrench; integers stay at the end of what fits
/// into a frame. Empty without a wrench or with a matrix that has no inverse.
std::vector<double> readings_of_wrench(const DeviceDescription& device,
                                       const std::array<double, 6>& wrench_SI);

/// The most frames a second of 1000, 800, 500, 400, 200, 100, 50, 20 and 10 that its serial line
/// carries with a tenth to spare, and at most `wanted_hz`; of one that is polled, as it is polled.
double framed_rate_hz(const DeviceDescription& device, double wanted_hz);

/// A board at this rate whose readings at their end are those of -2 x the range along z.
FramedBoard wrench_board(const DeviceDescription& device, double rate_hz,
                         const std::array<double, 6>& full_scale_SI);

CountsSource counts_of_wrench(DeviceDescription device, WrenchSource wrench);

}  // namespace tactelier::devices
