#include "reports/export/bullet_exporter.hpp"
#include "reports/export/chrono_exporter.hpp"
#include "reports/export/drake_exporter.hpp"
#include "reports/export/exporter.hpp"
#include "reports/export/genesis_exporter.hpp"
#include "reports/export/hydroelastic_touch_exporter.hpp"
#include "reports/export/image_model_exporter.hpp"
#include "reports/export/isaac_exporter.hpp"
#include "reports/export/json_exporter.hpp"
#include "reports/export/mujoco_exporter.hpp"
#include "reports/export/newton_exporter.hpp"
#include "reports/export/openrave_exporter.hpp"
#include "reports/export/robworksim_exporter.hpp"
#include "reports/export/runtime_cpp_exporter.hpp"
#include "reports/export/runtime_python_exporter.hpp"
#include "reports/export/schunk_exporter.hpp"
#include "reports/export/sdf_exporter.hpp"
#include "reports/export/skinsim_exporter.hpp"
#include "reports/export/tacto_exporter.hpp"
#include "reports/export/urdf_tactile_exporter.hpp"
#include "reports/export/xml_exporter.hpp"

#include <array>

#include "libcalib/json_check.hpp"

namespace tactelier {

std::span<const Exporter* const> exporters() {
  static const JsonExporter json;
  static const XmlExporter xml;
  static const RuntimeCppExporter runtime_cpp;
  static const RuntimePythonExporter runtime_python;
  static const ImageModelExporter image_json(ImageModelExporter::Syntax::kJson);
  static const ImageModelExporter image_yaml(ImageModelExporter::Syntax::kYaml);
  static const MujocoExporter mujoco(MujocoForm::kPortable);
  static const MujocoExporter mujoco_37(MujocoForm::kModern);
  static const SdfExporter sdf(SdfSpring::kJoint);
  static const SdfExporter sdf_ode(SdfSpring::kContact);
  static const UrdfTactileExporter urdf_tactile;
  static const DrakeExporter drake;
  static const HydroelasticTouchExporter touch;
  static const BulletExporter bullet;
  static const OpenraveExporter openrave;
  static const NewtonExporter newton;
  static const GenesisExporter genesis;
  static const ChronoExporter chrono;
  static const IsaacExporter isaac;
  static const TactoExporter tacto;
  static const RobworksimExporter robworksim;
  static const SkinsimExporter skinsim;
  static const SchunkExporter schunk;
  static const auto all = std::to_array<const Exporter*>(
      {&json,         &xml,       &runtime_cpp, &runtime_python, &image_json, &image_yaml,
       &mujoco,       &mujoco_37, &sdf,         &sdf_ode,        &drake,      &touch,
       &bullet,       &newton,    &isaac,       &genesis,        &chrono,     &tacto,
       &urdf_tactile, &schunk,    &robworksim,  &skinsim,        &openrave});
  return all;
}

Result<const Exporter*> exporter(std::string_view id) {
  std::vector<std::string> known;
  for (const auto* candidate : exporters()) {
    if (candidate->id() == id) return candidate;
    known.emplace_back(candidate->id());
  }
  return fail(ErrorCode::kUsage, "there is no format '{}'{}; `tactelier export --list` shows all",
              id, did_you_mean(id, known));
}

}  // namespace tactelier
