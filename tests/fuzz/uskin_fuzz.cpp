// What a CAN adapter says with a uSkin board on its bus, in two pieces; and the same bytes as
// frames of SocketCAN.
#include "devices/xela/slcan.hpp"
#include "devices/xela/socketcan.hpp"
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
  for (std::size_t at = 0; at < size; at += 16)
    if (const auto message =
            decode_socketcan(bytes.subspan(at, std::min<std::size_t>(16, size - at))))
      (void)rounds.take(*message);
  return 0;
}
