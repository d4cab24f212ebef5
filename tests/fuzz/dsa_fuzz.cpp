// Frames of a Weiss DSA controller, in two pieces.
#include "devices/weiss/dsa_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  DsaFrameFinder finder;
  finder.expect_cells(84);
  finder.add(bytes.first(size / 2));
  finder.add(bytes.subspan(size / 2));
  const auto decode = [](ByteView payload) {
    (void)decode_weiss_readings(payload, 84);
    (void)decode_dsa_controller(payload);
    (void)decode_dsa_matrix_count(payload);
    (void)decode_dsa_matrix(payload);
  };
  while (const auto frame = finder.next()) decode(frame->payload);
  decode(bytes);
  return 0;
}
