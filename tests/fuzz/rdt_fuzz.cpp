// Records and requests of the Net F/T box.
#include "devices/ati/rdt_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)decode_rdt_records(bytes);
  (void)decode_rdt_request(bytes);
  return 0;
}
