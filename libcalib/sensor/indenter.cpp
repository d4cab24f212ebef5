#include "libcalib/sensor/indenter.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>

#include "libcalib/json_check.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr int kMaxNested = 8;

/// One size of an indenter: its key, factor to SI and member.
struct Size {
  std::string_view key;
  double to_si;
  double Indenter::*member;
};

constexpr Size kDiameter{"diameter_mm", 1e-3, &Indenter::diameter_m};
constexpr Size kAcrossFlats{"across_flats_mm", 1e-3, &Indenter::across_flats_m};
constexpr Size kX{"x_mm", 1e-3, &Indenter::x_m};
constexpr Size kY{"y_mm", 1e-3, &Indenter::y_m};
constexpr Size kZ{"z_mm", 1e-3, &Indenter::z_m};
constexpr Size kLength{"length_mm", 1e-3, &Indenter::length_m};
constexpr Size kWidth{"width_mm", 1e-3, &Indenter::width_m};
constexpr Size kHalfAngle{"half_angle_deg", deg_to_rad(1), &Indenter::half_angle_rad};
constexpr Size kScale{"scale_mm", 1e-3, &Indenter::mesh_scale_m};

struct Shape {
  std::string_view name;
  IndenterShape shape;
  std::vector<Size> sizes;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes{
      {"cylinder", IndenterShape::kCylinder, {kDiameter}},
      {"sphere", IndenterShape::kSphere, {kDiameter}},
      {"hexagon", IndenterShape::kHexagon, {kAcrossFlats}},
      {"box", IndenterShape::kBox, {kX, kY}},
      {"edge", IndenterShape::kEdge, {kLength, kWidth}},
      {"wedge", IndenterShape::kWedge, {kLength, kHalfAngle}},
      {"lying_cylinder", IndenterShape::kLyingCylinder, {kDiameter, kLength}},
      {"ellipsoid", IndenterShape::kEllipsoid, {kX, kY, kZ}},
      {"plate", IndenterShape::kPlate, {}},
      {"compound", IndenterShape::kCompound, {}},
      {"mesh", IndenterShape::kMesh, {kScale}},
  };
  return kShapes;
}

const Shape& shape_named(std::string_view name) {  // the schema has checked the name
  return *std::find_if(shapes().begin(), shapes().end(),
                       [&](const Shape& shape) { return shape.name == name; });
}

const Shape& shape_of(IndenterShape wanted) {
  return *std::find_if(shapes().begin(), shapes().end(),
                       [&](const Shape& shape) { return shape.shape == wanted; });
}

bool belongs(std::string_view key, const Shape& shape) {
  if (key == "id" || key == "shape" || key == "offset_mm") return true;
  if (key == "parts") return shape.shape == IndenterShape::kCompound;
  if (key == "file") return shape.shape == IndenterShape::kMesh;
  return std::any_of(shape.sizes.begin(), shape.sizes.end(),
                     [&](const Size& size) { return size.key == key; });
}

Result<Indenter> read_indenter(const json& object, const std::string& where, int nested);

Result<void> read_parts(const json& list, Indenter& indenter, const std::string& where,
                        int nested) {
  if (nested >= kMaxNested)
    return fail(ErrorCode::kInvalidInput, "{}: compounds nested deeper than {}", where, kMaxNested);
  for (const auto& entry : list) {
    auto part =
        read_indenter(entry, fmt::format("{}.parts[{}]", where, indenter.parts.size()), nested + 1);
    if (!part) return fail(part.error());
    Indenter::Part placed{std::move(*part)};
    if (entry.contains("offset_mm")) {
      placed.x_m = mm_to_m(entry["offset_mm"][0].get<double>());
      placed.y_m = mm_to_m(entry["offset_mm"][1].get<double>());
      placed.z_m = mm_to_m(entry["offset_mm"][2].get<double>());
    }
    indenter.parts.push_back(std::move(placed));
  }
  return {};
}

Result<Indenter> read_indenter(const json& object, const std::string& where, int nested) {
  const auto& shape = shape_named(object["shape"].get_ref<const std::string&>());
  for (const auto& [key, ignored] : object.items())
    if (!belongs(key, shape))
      return fail(ErrorCode::kInvalidInput, "{}: shape '{}' has no '{}'", where, shape.name, key);
  Indenter indenter;
  indenter.shape = shape.shape;
  indenter.id = object.value("id", "");
  for (const auto& size : shape.sizes)
    indenter.*size.member = object[std::string(size.key)].get<double>() * size.to_si;
  indenter.mesh_file = object.value("file", "");
  if (object.contains("parts"))
    if (const auto parts = read_parts(object["parts"], indenter, where, nested); !parts)
      return fail(parts.error());
  return indenter;
}

}  // namespace

Result<Indenter> parse_indenter(std::string_view json_text, std::string_view where) {
  const auto object = parse_json(json_text, where);
  if (!object) return fail(object.error());
  if (const auto checked = check_schema(*object, "indenter", where); !checked)
    return fail(checked.error());
  return read_indenter(*object, std::string(where), 0);
}

std::optional<double> Indenter::flat_area_m2() const {
  switch (shape) {
    case IndenterShape::kCylinder:
      return std::numbers::pi / 4 * diameter_m * diameter_m;
    case IndenterShape::kHexagon:
      return std::numbers::sqrt3 / 2 * across_flats_m * across_flats_m;
    case IndenterShape::kBox:
      return x_m * y_m;
    case IndenterShape::kEdge:
      return length_m * width_m;
    default:
      return std::nullopt;
  }
}

std::optional<double> Indenter::punch_radius_m() const {
  if (shape != IndenterShape::kCylinder) return std::nullopt;
  return diameter_m / 2;
}

std::string Indenter::describe() const {
  const auto& named = shape_of(shape);
  if (shape == IndenterShape::kCompound) return fmt::format("compound of {} parts", parts.size());
  if (shape == IndenterShape::kMesh)
    return fmt::format("mesh {}", std::filesystem::path(mesh_file).filename().string());
  std::string text(named.name);
  std::replace(text.begin(), text.end(), '_', ' ');
  std::string lengths;
  for (const auto& size : named.sizes)
    if (size.member != &Indenter::half_angle_rad)
      lengths +=
          fmt::format("{}{:.6g}", lengths.empty() ? " " : " x ", m_to_mm(this->*size.member));
  if (!lengths.empty()) text += lengths + " mm";
  if (shape == IndenterShape::kWedge)
    text += fmt::format(", half angle {:.6g} deg", half_angle_rad / deg_to_rad(1));
  return text;
}

std::optional<double> described_punch_radius_m(std::string_view described) {
  constexpr std::string_view kBegin = "cylinder ", kEnd = " mm";
  if (!described.starts_with(kBegin) || !described.ends_with(kEnd)) return {};
  const auto number =
      described.substr(kBegin.size(), described.size() - kBegin.size() - kEnd.size());
  double diameter_mm = 0;
  const auto [stop, error] =
      std::from_chars(number.data(), number.data() + number.size(), diameter_mm);
  if (error != std::errc{} || stop != number.data() + number.size() || !(diameter_mm > 0))
    return {};
  return mm_to_m(diameter_mm) / 2;
}

}  // namespace tactelier
