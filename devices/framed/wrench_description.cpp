#include "devices/framed/wrench_description.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "devices/framed/description_reading.hpp"
#include "libcalib/session/json_get.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMostStatus = 0x7FFFFFFF;  // the bit above is the driver's own

bool flag_in(const json& object, const char* key) {
  const auto* member = get_member(object, key);
  return member != nullptr && member->get<bool>();
}

Result<void> read_scale(const json& object, DeviceDescription& device,
                        const DescriptionPlace& place) {
  const auto* each = get_member(object, "SI_per_reading");
  const auto* matrix = get_member(object, "matrix");
  if ((each == nullptr) == (matrix == nullptr))
    return place.bad("wrench", "one of SI_per_reading (a factor per axis) and matrix is needed");
  if (device.shape.size() != 6)
    return place.bad("cells", "{} readings, a wrench has six: rows 1 and columns 6",
                     device.shape.size());
  auto& wrench = device.wrench.emplace();
  for (std::size_t axis = 0; axis < 6; ++axis)
    if (each != nullptr)
      wrench.SI_per_reading[axis][axis] = (*each)[axis].get<double>();
    else
      wrench.SI_per_reading[axis] = (*matrix)[axis].get<std::array<double, 6>>();
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const auto& row = wrench.SI_per_reading[axis];
    if (std::all_of(row.begin(), row.end(), [](double factor) { return factor == 0; }))
      return place.bad("wrench",
                       "axis {} is worth nothing; a cell of one axis is for driver "
                       "one-axis",
                       axis + 1);
  }
  if (const auto* range = get_member(object, "full_scale_N_Nm"))
    wrench.full_scale_SI = range->get<std::array<double, 6>>();
  return {};
}

Result<void> read_status(const json& object, DeviceDescription& device,
                         const DescriptionPlace& place) {
  auto& status = device.status.emplace();
  status.field = field_in(object);
  const auto width = 8 * size_of(status.field.type);
  const auto masked = status.field.mask >> static_cast<unsigned>(status.field.shift);
  if (width > 31 && masked > kMostStatus)
    return place.bad("status.mask", "at most 31 bits; choose those that count");
  if (device.frame.kind == Framing::kTextLine)
    return place.bad("status", "lines of text have no status word");
  if (const auto* healthy = get_member(object, "healthy"))
    status.healthy = healthy->get<std::uint32_t>();
  const auto* bits = get_member(object, "bits");
  if (bits == nullptr) return {};
  for (const auto& bit : *bits)
    status.bits.push_back({bit.at("mask").get<std::uint32_t>(), get_text(bit, "means"),
                           flag_in(bit, "usable"), flag_in(bit, "saturated")});
  return {};
}

}  // namespace

bool WrenchReadings::diagonal() const {
  for (std::size_t axis = 0; axis < 6; ++axis)
    for (std::size_t reading = 0; reading < 6; ++reading)
      if (axis != reading && SI_per_reading[axis][reading] != 0) return false;
  return true;
}

bool StatusWord::usable(std::uint32_t word) const {
  auto wrong = word ^ healthy;
  for (const auto& bit : bits)
    if (bit.usable) wrong &= ~bit.mask;
  return wrong == 0;
}

std::string StatusWord::describe(std::uint32_t word) const {
  auto unnamed = word ^ healthy;
  std::string text;
  const auto say = [&](std::string_view what) {
    if (!text.empty()) text += "; ";
    text += what;
  };
  for (const auto& bit : bits) {
    if (((word ^ healthy) & bit.mask) == 0) continue;
    unnamed &= ~bit.mask;
    say(bit.means);
  }
  if (unnamed != 0)
    say(fmt::format("status bits 0x{:04X}, which its description doesn't name", unnamed));
  return text;
}

Result<void> read_force_sensor(const json& document, DeviceDescription& device,
                               const DescriptionPlace& place) {
  if (const auto* wrench = get_member(document, "wrench"))
    if (auto read = read_scale(*wrench, device, place); !read) return read;
  const auto* status = get_member(document, "status");
  return status == nullptr ? Result<void>{} : read_status(*status, device, place);
}

}  // namespace tactelier::devices
