// What a PapillArray's controller sends, in two pieces, and one packet's content.
#include "devices/contactile/papillarray_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  PapillArrayFinder finder;
  for (const auto part : {bytes.first(size / 2), bytes.subspan(size / 2)}) {
    finder.add(part);
    while (const auto content = finder.next()) (void)decode_papillarray(*content);
  }
  (void)decode_papillarray(bytes);
  return 0;
}
