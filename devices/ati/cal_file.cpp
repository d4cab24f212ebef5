#include "devices/ati/cal_file.hpp"

#include <charconv>
#include <cmath>
#include <pugixml.hpp>

#include "devices/ati/ati_units.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::devices {
namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::array kAxisNames{"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

using Row = std::array<double, 6>;

struct CalPlace {
  std::string where;
  template <class... Args>
  tl::unexpected<Error> bad(fmt::format_string<Args...> text, Args&&... args) const {
    return fail(ErrorCode::kInvalidInput, "{}: {}", where,
                fmt::format(text, std::forward<Args>(args)...));
  }
};

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<Row> six_numbers(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  Row row{};
  std::size_t have = 0;
  for (auto at = text.find_first_not_of(kBlank); at != text.npos;
       at = text.find_first_not_of(kBlank)) {
    text.remove_prefix(at);
    const auto cell = text.substr(0, text.find_first_of(kBlank));
    const auto number = number_in(cell);
    if (!number || have == row.size()) return std::nullopt;
    row[have++] = *number;
    text.remove_prefix(cell.size());
  }
  return have == row.size() ? std::optional(row) : std::nullopt;
}

/// One row of six elements of that name; its scale divides it.
Result<Row> read_row(const pugi::xml_node& calibration, const char* element, std::size_t axis,
                     bool scaled, const CalPlace& place) {
  const auto node = calibration.find_child_by_attribute(element, "Name", kAxisNames[axis]);
  if (!node) return place.bad("no {} '{}'", element, kAxisNames[axis]);
  auto row = six_numbers(node.attribute("values").value());
  if (!row) return place.bad("{} '{}': values: six numbers expected", element, kAxisNames[axis]);
  const auto scale = scaled ? number_in(node.attribute("scale").value()) : std::optional(1.0);
  if (!scale || *scale == 0)
    return place.bad("{} '{}': scale: a number other than 0 expected", element, kAxisNames[axis]);
  for (auto& value : *row) value /= *scale;
  return *row;
}

/// Torques about the transformed origin: T - p x F, column by column.
Result<void> move_torques(const pugi::xml_node& calibration, std::array<Row, 6>& rows,
                          const CalPlace& place) {
  const auto transform = calibration.child("BasicTransform");
  const auto value = [&](const char* name) {
    return number_in(transform.attribute(name).value()).value_or(0);
  };
  if (value("Rx") != 0 || value("Ry") != 0 || value("Rz") != 0)
    return place.bad("BasicTransform with rotations and no UserAxis rows: not supported");
  const std::array<double, 3> p{value("Dx"), value("Dy"), value("Dz")};
  for (std::size_t gage = 0; gage < 6; ++gage) {
    const std::array<double, 3> F{rows[0][gage], rows[1][gage], rows[2][gage]};
    rows[3][gage] -= p[1] * F[2] - p[2] * F[1];
    rows[4][gage] -= p[2] * F[0] - p[0] * F[2];
    rows[5][gage] -= p[0] * F[1] - p[1] * F[0];
  }
  return {};
}

Result<std::array<Row, 6>> read_rows(const pugi::xml_node& calibration, const CalPlace& place) {
  const bool user = static_cast<bool>(calibration.child("UserAxis"));
  std::array<Row, 6> rows{};
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const auto row = read_row(calibration, user ? "UserAxis" : "Axis", axis, !user, place);
    if (!row) return fail(row.error());
    rows[axis] = *row;
  }
  if (user) return rows;
  return move_torques(calibration, rows, place).map([&] { return rows; });
}

}  // namespace

std::array<double, 6> GageCalibration::wrench_SI(const GageVolts& volts,
                                                 const GageVolts& bias) const {
  std::array<double, 6> wrench{};
  for (std::size_t axis = 0; axis < 6; ++axis)
    for (std::size_t gage = 0; gage < 6; ++gage)
      wrench[axis] += matrix_SI_per_V[axis][gage] * (volts[gage] - bias[gage]);
  return wrench;
}

Result<GageCalibration> parse_cal_file(std::string_view xml, std::string_view where) {
  const CalPlace place{std::string(where)};
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size(), pugi::parse_minimal);
  if (!parsed) return place.bad("byte {}: {}", parsed.offset, parsed.description());
  const auto sensor = document.child("FTSensor");
  const auto calibration = sensor.child("Calibration");
  if (!calibration) return place.bad("no FTSensor with a Calibration: is this a .cal file of ATI?");
  const std::string force_unit = calibration.attribute("ForceUnits").value();
  const std::string torque_unit = calibration.attribute("TorqueUnits").value();
  const auto N = ati_force_unit_N(force_unit), Nm = ati_torque_unit_Nm(torque_unit);
  if (!N)
    return place.bad("ForceUnits '{}': one of {} expected", force_unit, ati_force_unit_names());
  if (!Nm)
    return place.bad("TorqueUnits '{}': one of {} expected", torque_unit, ati_torque_unit_names());
  auto rows = read_rows(calibration, place);
  if (!rows) return fail(rows.error());
  GageCalibration cal;
  cal.serial = sensor.attribute("Serial").value();
  cal.part_number = calibration.attribute("PartNumber").value();
  cal.date = calibration.attribute("CalDate").value();
  cal.matrix_SI_per_V = *rows;
  const char* element = calibration.child("UserAxis") ? "UserAxis" : "Axis";
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const double to_SI = axis < 3 ? *N : *Nm;
    for (auto& value : cal.matrix_SI_per_V[axis]) value *= to_SI;
    const auto node = calibration.find_child_by_attribute(element, "Name", kAxisNames[axis]);
    cal.full_scale_SI[axis] =
        std::abs(number_in(node.attribute("max").value()).value_or(0)) * to_SI;
  }
  return cal;
}

Result<GageCalibration> load_cal_file(const std::string& path) {
  return read_text_file(path, kMaxBytes).and_then([&](const std::string& text) {
    return parse_cal_file(text, path);
  });
}

}  // namespace tactelier::devices
