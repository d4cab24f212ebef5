// Frames of a Weiss array, in two pieces.
#include "devices/weiss/wts_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  WtsFrameFinder finder;
  finder.expect_cells(84);
  finder.add(bytes.first(size / 2));
  finder.add(bytes.subspan(size / 2));
  while (const auto frame = finder.next()) {
    (void)decode_weiss_readings(frame->payload, 84);
    (void)decode_wts_matrix(frame->payload);
  }
  (void)decode_weiss_readings(bytes, 84);
  (void)decode_wts_matrix(bytes);
  return 0;
}
