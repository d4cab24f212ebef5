// What a CAN adapter says with a uSkin board on its bus, in two pieces.
#include "devices/xela/uskin_protocol.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  SlcanReader reader;
  UskinRounds rounds(kUskinFirstId, 4);
  for (const auto part : {bytes.first(size / 2), bytes.subspan(size / 2)}) {
    reader.add(part);
    while (const auto saying = reader.next()) (void)rounds.take(saying->message);
  }
  return 0;
}
