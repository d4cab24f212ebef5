#include "reports/export/usd_pad.hpp"

#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

constexpr const char* kMaterial = "rubber";

std::string binding(const TactelPad& pad) {
  return fmt::format("rel material:binding:physics = </{}/{}>", usd_name(pad), kMaterial);
}

void add_known(UsdPrim& prim, std::string_view name, const std::optional<double>& value) {
  if (value)
    prim.attributes.push_back("custom " +
                              usd_number("double", fmt::format("tactelier:{}", name), *value));
}

void add_readout(const TactelPlace& place, const PadReadout& readout, bool falling,
                 UsdPrim& prim) {
  const auto add = [&](const char* name, int value) {
    prim.attributes.push_back(fmt::format("custom int tactelier:{} = {}", name, value));
  };
  add("tactel", place.tactel);
  add("array", place.array);
  add("row", place.row);
  add("column", place.column);
  prim.attributes.push_back(
      fmt::format("custom bool tactelier:reads = {}", readout.reads ? "true" : "false"));
  prim.attributes.push_back(
      fmt::format("custom bool tactelier:falling = {}", falling ? "true" : "false"));
  add_known(prim, "gain_N_per_count", readout.gain_N_per_count);
  add_known(prim, "offset_counts", readout.offset_counts);
  add_known(prim, "threshold_N", readout.threshold_N);
  add_known(prim, "saturation_counts", readout.saturation_counts);
  add_known(prim, "saturation_N", readout.saturation_N());
  add_known(prim, "noise_N", readout.noise_N());
}

void add_lines(UsdPrim& prim, const std::vector<std::string>& lines) {
  prim.attributes.insert(prim.attributes.end(), lines.begin(), lines.end());
}

/// The sphere's top touches the surface.
UsdPrim tactel_prim(const TactelPad& pad, std::size_t i) {
  const auto& place = pad.places[i];
  const double radius_m = place.half_width_m;
  Vector3 centre_m = place.position_m;
  for (std::size_t k = 0; k < 3; ++k) centre_m[k] -= radius_m * place.normal[k];
  UsdPrim prim{"Sphere", place.name(), {"PhysicsCollisionAPI", "MaterialBindingAPI"}, {}};
  prim.attributes = {
      binding(pad), usd_number("double", "radius", radius_m),
      fmt::format("float3[] extent = [{}, {}]", usd_vector({-radius_m, -radius_m, -radius_m}),
                  usd_vector({radius_m, radius_m, radius_m}))};
  add_lines(prim, usd_pose(centre_m, place.rpy_rad));
  add_readout(place, pad.readouts[i], pad.falling, prim);
  return prim;
}

UsdPrim root_prim(const TactelPad& pad, const UsdMaterial& material) {
  UsdPrim root{"Xform", usd_name(pad), {}, {}};
  UsdPrim rubber{"Material", kMaterial, {"PhysicsMaterialAPI"}, material.attributes};
  rubber.schemas.insert(rubber.schemas.end(), material.schemas.begin(), material.schemas.end());
  root.children.push_back(std::move(rubber));
  return root;
}

}  // namespace

std::string usd_name(const TactelPad& pad) {
  const bool digit = pad.name[0] >= '0' && pad.name[0] <= '9';
  return (digit ? "pad_" : "") + pad.name;
}

UsdPrim usd_pad(const TactelPad& pad, const UsdMaterial& material) {
  auto root = root_prim(pad, material);
  for (std::size_t i = 0; i < pad.places.size(); ++i) root.children.push_back(tactel_prim(pad, i));
  return root;
}

UsdPrim usd_boxes(const TactelPad& pad, std::span<const LayerBox> boxes,
                  const UsdMaterial& material, const std::string& schema,
                  std::span<const std::vector<std::string>> attributes) {
  auto root = root_prim(pad, material);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto centre = centre_of(boxes[i]);
    UsdPrim box{"Cube",
                fmt::format("array_{}", i),
                {"PhysicsCollisionAPI", schema, "MaterialBindingAPI"},
                {}};
    box.attributes = {binding(pad), "double size = 1",
                      "float3[] extent = [(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)]"};
    add_lines(box, attributes[i]);
    auto pose = usd_pose(centre.position_m, centre.rpy_rad);
    pose.back() =
        "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\", "
        "\"xformOp:scale\"]";
    pose.push_back("float3 xformOp:scale = " + usd_vector(boxes[i].size_m));
    add_lines(box, pose);
    root.children.push_back(std::move(box));
  }
  return root;
}

}  // namespace tactelier
