#include "reports/export/usd_text.hpp"

#include <fmt/ranges.h>

#include "libcalib/units.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

std::string schemas_text(const std::vector<std::string>& schemas, const std::string& indent) {
  if (schemas.empty()) return "";
  std::vector<std::string> quoted;
  for (const auto& schema : schemas) quoted.push_back('"' + schema + '"');
  return fmt::format(" (\n{0}    prepend apiSchemas = [{1}]\n{0})", indent,
                     fmt::join(quoted, ", "));
}

std::string prim_text(const UsdPrim& prim, const std::string& indent) {
  auto text = fmt::format("{0}def {1} \"{2}\"{3}\n{0}{{\n", indent, prim.type, prim.name,
                          schemas_text(prim.schemas, indent));
  for (const auto& attribute : prim.attributes) text += indent + "    " + attribute + "\n";
  for (const auto& child : prim.children) text += "\n" + prim_text(child, indent + "    ");
  return text + indent + "}\n";
}

}  // namespace

std::string usd_text(std::span<const std::string> opening, const UsdPrim& root) {
  return "#usda 1.0\n" + comment_lines("# ", opening) +
         fmt::format(
             "(\n    defaultPrim = \"{}\"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n"
             "    upAxis = \"Z\"\n)\n\n",
             root.name) +
         prim_text(root, "");
}

std::string usd_vector(const std::array<double, 3>& vector) {
  return fmt::format("({:.9g})", fmt::join(vector, ", "));
}

std::string usd_number(std::string_view type, std::string_view name, double value) {
  return fmt::format("{} {} = {:.9g}", type, name, value);
}

std::vector<std::string> usd_pose(const std::array<double, 3>& position_m,
                                  const std::array<double, 3>& rpy_rad) {
  const std::array rpy_deg{rad_to_deg(rpy_rad[0]), rad_to_deg(rpy_rad[1]), rad_to_deg(rpy_rad[2])};
  return {"float3 xformOp:rotateXYZ = " + usd_vector(rpy_deg),
          "double3 xformOp:translate = " + usd_vector(position_m),
          "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\"]"};
}

}  // namespace tactelier
