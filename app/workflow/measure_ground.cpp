#include "app/workflow/measure_ground.hpp"

#include "app/workflow/fit_sessions.hpp"
#include "app/workflow/temporary_folder.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// The shipped one; a plate pressed before shows how stiff anything rigid is, and makes the search
/// for ground many times as quick.
Result<std::string> protocol_for(const RigFile& rig) {
  const auto shipped = load_protocol("thickness");
  if (!shipped) return fail(shipped.error());
  auto document = json::parse(shipped->document);
  const json plate{{"do", "plate"}, {"force_N", 5}, {"speed_mm_s", 0.1}};
  if (rig.plate_m) document["steps"].insert(document["steps"].begin() + 1, plate);
  return document.dump();
}

Result<void> keep_height(const RigFile& rig, double height_m, const RigPlace& place,
                         const Job& job) {
  auto client = reach_rig(place, job);
  if (!client) return fail(client.error());
  const json changes{
      {"ground_mm", {m_to_mm(rig.ground->x_m), m_to_mm(rig.ground->y_m), m_to_mm(height_m)}}};
  Warnings ignored;
  auto kept = client->follow(rig::messages::keep_request(changes), {}, ignored);
  if (!kept) return fail(kept.error());
  return {};
}

}  // namespace

Result<FoundGround> measure_ground(const GroundRequest& request, const AskPerson& ask,
                                   const Job& job) {
  const auto rig = load_rig(request.place.rig.string());
  if (!rig) return fail(rig.error());
  if (!rig->ground)
    return fail(
        ErrorCode::kInvalidInput,
        "{}: says nowhere where bare ground beside the pad is: write its place in the stage "
        "frame as \"ground_mm\": [x, y]",
        request.place.rig.string());
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  RecordRequest record;
  record.place = request.place;
  record.protocol = ((*folder)->path() / "thickness.json").string();
  auto protocol = protocol_for(*rig);
  if (!protocol) return fail(protocol.error());
  if (auto written = write_text_file(record.protocol, *protocol); !written)
    return fail(written.error());
  record.target = request.keep.empty() ? (*folder)->path() / "ground.tact" : request.keep;
  const auto recorded = record_session(record, ask, job);
  if (!recorded) return fail(recorded.error());
  if (!recorded->complete) return Job::cancelled();
  for (const auto& warning : recorded->warnings)
    if (warning.code.starts_with("GROUND-") ||
        (warning.code == "LIMIT" && warning.text.find("ground_mm") != warning.text.npos))
      return fail(ErrorCode::kUnidentifiable, "{} {}", warning.code, warning.text);
  FitRequest fit;
  fit.sessions = {record.target};
  fit.stages = {"hydroelastic"};
  const auto fitted = fit_sessions(fit, job);
  if (!fitted) return fail(fitted.error());
  const auto& quality = fitted->model.quality.at("hydroelastic");
  FoundGround found{fitted->model.hydroelastic.thickness, 0, recorded->warnings};
  const auto height_mm = quality.figures.find("ground_z_mm");
  if (height_mm == quality.figures.end())
    return fail(ErrorCode::kUnidentifiable, "{}", found.thickness.reason);
  found.height_m = mm_to_m(height_mm->second);
  if (auto kept = keep_height(*rig, found.height_m, request.place, job); !kept)
    return fail(kept.error());
  return found;
}

}  // namespace tactelier
