// Lines of a Marlin stage, in two pieces.
#include "devices/link/line_splitter.hpp"
#include "devices/marlin/marlin_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  LineSplitter splitter;
  splitter.add(bytes.first(size / 2));
  splitter.add(bytes.subspan(size / 2));
  while (const auto line = splitter.next()) (void)parse_marlin_line(*line);
  return 0;
}
