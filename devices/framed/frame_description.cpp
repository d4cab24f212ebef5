#include "devices/framed/frame_description.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "devices/framed/description_reading.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/resources.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 1U << 20U;

FieldType type_named(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames{"u8",  "i8",  "u16", "i16", "u24", "i24",
                                                    "u32", "i32", "u64", "f32", "f64"};
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return static_cast<FieldType>(found - kNames.begin());
}

bool floating(FieldType type) { return type == FieldType::kF32 || type == FieldType::kF64; }

bool is_signed(FieldType type) {
  return type == FieldType::kI8 || type == FieldType::kI16 || type == FieldType::kI24 ||
         type == FieldType::kI32;
}

std::uint32_t number_of(const Bytes& bytes) {
  std::uint32_t number = 0;
  for (const auto byte : bytes) number = number << 8U | byte;
  return number;
}

Result<void> read_check(const json& object, DeviceDescription& device,
                        const DescriptionPlace& place) {
  auto& check = device.check;
  check.at = object.at("at").get<int>();
  check.from = get_int(object, "from").value_or(0);
  check.to = get_int(object, "to");
  check.big_endian = get_text(object, "endian") == "big";
  const auto kind = get_text(object, "kind");
  if (const auto named = frame_check_named(kind)) {
    check.check = *named;
    return {};
  }
  const auto* model = get_member(object, "crc");
  if (model == nullptr) return place.bad("check.crc", "needed by kind crc");
  check.check.kind = CheckKind::kCrc;
  auto& crc = check.check.model;
  crc.width = model->at("width").get<int>();
  const auto* reflected = get_member(*model, "reflected");
  crc.reflected = reflected != nullptr && reflected->get<bool>();
  for (const auto& [key, target] : {std::pair{"polynomial", &crc.polynomial},
                                    {"initial", &crc.initial},
                                    {"final_xor", &crc.final_xor}}) {
    const auto bytes = bytes_at(*model, key, place);
    if (!bytes) return fail(bytes.error());
    *target = number_of(*bytes);
  }
  return {};
}

Result<void> read_dialogue(const json& document, DeviceDescription& device,
                           const DescriptionPlace& place) {
  if (const auto* port = get_member(document, "port")) {
    device.baud = get_int(*port, "baud");
    device.wait_after_open = Timeout(get_int(*port, "wait_after_open_ms").value_or(0));
  }
  const auto* dialogue = get_member(document, "dialogue");
  if (dialogue == nullptr) return {};
  device.poll_every = Timeout(get_int(*dialogue, "poll_ms").value_or(30));
  device.pause = Timeout(get_int(*dialogue, "pause_ms").value_or(50));
  for (const auto& [key, target] :
       {std::pair{"start", &device.start}, {"stop", &device.stop}, {"poll", &device.poll}}) {
    auto bytes = bytes_at(*dialogue, key, place);
    if (!bytes) return fail(bytes.error());
    *target = std::move(*bytes);
  }
  return {};
}

}  // namespace

Result<Bytes> bytes_at(const json& object, const char* key, const DescriptionPlace& place) {
  const auto text = get_text(object, key);
  const auto bytes = bytes_in_text(text);
  if (!bytes)
    return place.bad(key, "'{}': bytes like \"AA 55 01\" or a text like \"'S\\n'\" expected", text);
  return *bytes;
}

FrameField field_in(const json& object) {
  FrameField field;
  field.offset = get_int(object, "offset").value_or(0);
  field.type = type_named(get_text(object, "type", "u16"));
  field.big_endian = get_text(object, "endian") == "big";
  if (const auto* mask = get_member(object, "mask")) field.mask = mask->get<std::uint64_t>();
  field.shift = get_int(object, "shift").value_or(0);
  return field;
}

std::optional<Bytes> bytes_in_text(std::string_view text) {
  Bytes bytes;
  if (text.size() >= 2 && text.starts_with('\'') && text.ends_with('\'')) {
    const auto plain = view_of(text.substr(1, text.size() - 2));
    return Bytes(plain.begin(), plain.end());
  }
  while (!text.empty()) {
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    std::uint8_t byte = 0;
    const auto two = text.substr(0, 2);
    const auto [stop, error] = std::from_chars(two.data(), two.data() + two.size(), byte, 16);
    if (two.size() != 2 || error != std::errc{} || stop != two.data() + 2) return std::nullopt;
    bytes.push_back(byte);
    text.remove_prefix(2);
  }
  return bytes;
}

std::size_t size_of(FieldType type) {
  constexpr std::array<std::size_t, 11> kSizes{1, 1, 2, 2, 3, 3, 4, 4, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

std::size_t DeviceDescription::readings_size() const {
  const auto count = readings_per_packet();
  if (bits > 0) return (count * static_cast<std::size_t>(bits) + 7) / 8;
  return reading_at(count - 1) + size_of(cells.type);
}

std::size_t DeviceDescription::reading_at(std::size_t i) const {
  const auto channels = static_cast<std::size_t>(shape.channels);
  return i / channels * tactel_stride + i % channels * stride;
}

std::optional<std::pair<double, double>> DeviceDescription::reading_range() const {
  if (frame.kind == Framing::kTextLine || (bits == 0 && floating(cells.type))) return std::nullopt;
  const auto width = bits > 0 ? bits : static_cast<int>(8 * size_of(cells.type));
  std::pair<double, double> range{0, std::ldexp(1.0, width) - 1};
  if (bits == 0 && is_signed(cells.type))
    range = {-std::ldexp(1.0, width - 1), std::ldexp(1.0, width - 1) - 1};
  else if (const auto masked =
               static_cast<double>(cells.mask >> static_cast<unsigned>(cells.shift));
           bits == 0 && masked < range.second)
    range.second = masked;
  if (inverted_from) range = {*inverted_from - range.second, *inverted_from - range.first};
  return range;
}

Result<DeviceDescription> parse_device_description(std::string_view json_text,
                                                   std::string_view where) {
  const auto document = parse_json(json_text, where);
  if (!document) return fail(document.error());
  if (auto format = check_format(*document, "tactelier/device", 1, where); !format)
    return fail(format.error());
  if (auto valid = check_schema(*document, "device", where); !valid) return fail(valid.error());
  const DescriptionPlace place{std::string(where)};
  DeviceDescription device;
  device.name = get_text(*document, "name");
  device.source = get_text(*document, "source");
  auto read = read_dialogue(*document, device, place)
                  .and_then([&] { return read_cells(document->at("cells"), device, place); })
                  .and_then([&] { return read_frame_layout(document->at("frame"), device, place); })
                  .and_then([&] { return read_force_sensor(*document, device, place); });
  if (const auto* check = get_member(*document, "check"); read && check != nullptr)
    read = read_check(*check, device, place);
  if (!read) return fail(read.error());
  if (const auto* time = get_member(*document, "time")) {
    device.time = field_in(*time);
    device.shape.tick_s = get_number(*time, "unit_s").value_or(0);
    if (device.shape.tick_s == 0) return place.bad("time.unit_s", "seconds per count are needed");
  }
  if (const auto* sequence = get_member(*document, "sequence"))
    device.sequence = field_in(*sequence);
  return check_places(device, place).map([&] { return device; });
}

Result<DeviceDescription> load_device_description(std::string_view name_or_path) {
  const auto shipped = resource(fmt::format("devices/{}.json", name_or_path));
  if (shipped) return parse_device_description(*shipped, name_or_path);
  if (name_or_path.find_first_of("/.") == name_or_path.npos) {
    const auto names = shipped_names("devices");
    return fail(ErrorCode::kInvalidInput, "no device description is called '{}'{}; there are {}",
                name_or_path, did_you_mean(name_or_path, names), fmt::join(names, ", "));
  }
  return read_text_file(std::filesystem::path(name_or_path), kMaxBytes)
      .and_then(
          [&](const std::string& text) { return parse_device_description(text, name_or_path); });
}

}  // namespace tactelier::devices
