// Lines of Zaber devices, in two pieces, and the values in their data.
#include "devices/link/line_splitter.hpp"
#include "devices/zaber/zaber_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  LineSplitter splitter;
  splitter.add(bytes.first(size / 2));
  splitter.add(bytes.subspan(size / 2));
  while (const auto text = splitter.next()) {
    const auto line = parse_zaber_line(*text);
    if (!line) continue;
    (void)zaber_values(line->data);
    (void)zaber_refusal(line->data);
    (void)zaber_flag(line->flag);
  }
  return 0;
}
