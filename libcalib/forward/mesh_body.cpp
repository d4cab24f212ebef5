#include "libcalib/forward/mesh_body.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/forward/vector3.hpp"

namespace tactelier {
namespace {

constexpr double kLevel_m = 1e-9;  // faces that are this little higher are level with the tip
constexpr double kLooksDown = 1e-6;

/// One for the whole program; scenes hold it as long as they need it.
RTCDevice device() {
  static const std::unique_ptr<RTCDeviceTy, void (*)(RTCDevice)> kDevice(
      rtcNewDevice("threads=1,set_affinity=0"), rtcReleaseDevice);
  return kDevice.get();
}

RTCScene scene_of(const TriangleMesh& mesh) {
  RTCScene scene = rtcNewScene(device());
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);  // no ray slips through between triangles
  RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* points = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                             RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                                             mesh.points_m.size()));
  for (const auto& point : mesh.points_m)
    for (const double value : point) *points++ = static_cast<float>(value);
  auto* corners = static_cast<unsigned*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                              3 * sizeof(unsigned), mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles)
    for (const auto corner : triangle) *corners++ = corner;
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);
  return scene;
}

}  // namespace

struct MeshBody::Scene {
  explicit Scene(const TriangleMesh& mesh) : handle(scene_of(mesh)) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene() { rtcReleaseScene(handle); }
  RTCScene handle;
};

Result<std::shared_ptr<const MeshBody>> MeshBody::read(const std::filesystem::path& file,
                                                       double unit_m) {
  auto mesh = read_mesh(file, unit_m);
  if (!mesh) return fail(mesh.error());
  return std::make_shared<const MeshBody>(std::move(*mesh));
}

MeshBody::MeshBody(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  Vector3 least = mesh_.points_m.front(), most = least;
  for (const auto& point : mesh_.points_m)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      least[axis] = std::min(least[axis], point[axis]);
      most[axis] = std::max(most[axis], point[axis]);
    }
  for (auto& point : mesh_.points_m) {
    point[2] -= least[2];
    reach_m_ = std::max(reach_m_, std::hypot(point[0], point[1]));
  }
  finest_m_ = std::min(most[0] - least[0], most[1] - least[1]);
  tall_m_ = most[2] - least[2];
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
    const auto normal = normal_of(i);
    if (normal[2] >= -kLooksDown * std::sqrt(dot(normal, normal))) continue;
    for (const auto corner : mesh_.triangles[i]) flat_ &= mesh_.points_m[corner][2] <= kLevel_m;
  }
  solid_ = solid_moments(mesh_);
  scene_ = std::make_unique<Scene>(mesh_);
}

MeshBody::~MeshBody() = default;

Vector3 MeshBody::normal_of(std::size_t triangle) const {
  const auto& [i, j, k] = mesh_.triangles[triangle];
  const auto& corner_m = mesh_.points_m[i];
  return cross(minus(mesh_.points_m[j], corner_m), minus(mesh_.points_m[k], corner_m));
}

std::optional<std::size_t> MeshBody::first_hit(const Vector3& from_m, const Vector3& along,
                                               double range) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray.org_x = static_cast<float>(from_m[0]);
  ray.ray.org_y = static_cast<float>(from_m[1]);
  ray.ray.org_z = static_cast<float>(from_m[2]);
  ray.ray.dir_x = static_cast<float>(along[0]);
  ray.ray.dir_y = static_cast<float>(along[1]);
  ray.ray.dir_z = static_cast<float>(along[2]);
  ray.ray.tfar = static_cast<float>(range);
  ray.ray.mask = std::numeric_limits<unsigned>::max();
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(scene_->handle, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  return ray.hit.primID;
}

double MeshBody::height_m(double x_m, double y_m) const {
  const auto hit = first_hit({x_m, y_m, -tall_m_}, {0, 0, 1}, 4 * tall_m_);
  if (!hit) return std::numeric_limits<double>::infinity();
  const auto& corners = mesh_.triangles[*hit];
  const auto [low, high] =
      std::minmax({mesh_.points_m[corners[0]][2], mesh_.points_m[corners[1]][2],
                   mesh_.points_m[corners[2]][2]});
  const auto normal = normal_of(*hit);
  const auto& corner_m = mesh_.points_m[corners[0]];
  const double slope_m = normal[0] * (x_m - corner_m[0]) + normal[1] * (y_m - corner_m[1]);
  const double height_m = normal[2] == 0 ? low : corner_m[2] - slope_m / normal[2];
  return std::clamp(height_m, low, high);
}

double MeshBody::depth_along_m(const Vector3& from_m, const Vector3& along, double range_m) const {
  const auto start_m = plus(from_m, scaled(along, range_m));
  const auto back = scaled(along, -1);
  const auto hit = first_hit(start_m, back, range_m);
  if (!hit) return 0;
  const auto normal = normal_of(*hit);
  const double towards = dot(normal, back);
  if (towards >= 0) return range_m;  // seen from inside
  const auto& corner_m = mesh_.points_m[mesh_.triangles[*hit][0]];
  return std::clamp(range_m - dot(normal, minus(corner_m, start_m)) / towards, 0.0, range_m);
}

Result<void> MeshFiles::load(Indenter& indenter) {
  for (auto& part : indenter.parts)
    if (auto loaded = load(part.indenter); !loaded) return loaded;
  if (indenter.shape != IndenterShape::kMesh || indenter.mesh) return {};
  auto& known = read_[{indenter.mesh_file, indenter.mesh_scale_m}];
  if (!known) {
    auto read = MeshBody::read(folder_ / indenter.mesh_file, indenter.mesh_scale_m);
    if (!read) return fail(read.error());
    known = std::move(*read);
  }
  indenter.mesh = known;
  return {};
}

}  // namespace tactelier
