// Requests and replies of the Net F/T's command port.
#include "devices/ati/netft_command.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)decode_read_request(bytes);
  (void)decode_transform(bytes);
  (void)check_acknowledge(bytes, NetFtCommand::kWriteTransform);
  const auto reading = decode_reading(bytes);
  const auto calibration = decode_calibration(bytes);
  if (calibration) (void)wrench_SI(reading.value_or(NetFtReading{}), *calibration);
  return 0;
}
