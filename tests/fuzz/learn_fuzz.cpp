// What an unknown board may send.
#include "devices/learn/learn.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  if (size < 4096) (void)learn_frames(bytes, {});
  return 0;
}
