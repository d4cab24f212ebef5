#include "devices/xela/driver.hpp"

#include <array>

#include "devices/xela/uskin_array.hpp"

namespace tactelier::devices {
namespace {

constexpr std::array kUskinOptions{
    OptionInfo{"url", OptionKind::kText,
               "can:can0, or serial:/dev/ttyUSB0?baud=3000000 of a CAN adapter that speaks slcan",
               true},
    OptionInfo{"rows", OptionKind::kWhole, "of the module, 4 when left out", false, 1,
               kUskinMostTactels},
    OptionInfo{"columns", OptionKind::kWhole, "of the module, 4 when left out", false, 1,
               kUskinMostTactels},
    OptionInfo{"board", OptionKind::kWhole, "its number, 1 when left out", false, 1, 255},
    OptionInfo{"first_id", OptionKind::kWhole,
               "CAN id of the first tactel, 1808 (0x710) when left out; the others follow", false,
               0, 0x7FF}};

Result<std::unique_ptr<TactileArray>> open_uskin(const DriverOptions& options,
                                                 const OpenContext& context) {
  UskinOptions uskin;
  uskin.url = options.text("url");
  uskin.rows = static_cast<int>(options.number("rows", uskin.rows));
  uskin.columns = static_cast<int>(options.number("columns", uskin.columns));
  uskin.board = static_cast<int>(options.number("board", uskin.board));
  uskin.first_id = static_cast<std::uint32_t>(options.number("first_id", uskin.first_id));
  return UskinArray::open(uskin, context.connect);
}

}  // namespace

constinit const Driver<TactileArray> kUskinDriver{"xela-uskin", "uSkin modules of XELA on CAN",
                                                  kUskinOptions, open_uskin};

}  // namespace tactelier::devices
