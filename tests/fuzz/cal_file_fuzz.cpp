// An ATI .cal file.
#include "devices/ati/cal_file.hpp"
#include "devices/link/link.hpp"

using namespace tactelier::devices;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes(data, size);
  (void)parse_cal_file(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                       "fuzz.cal");
  return 0;
}
