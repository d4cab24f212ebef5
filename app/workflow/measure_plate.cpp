#include "app/workflow/measure_plate.hpp"

#include <algorithm>
#include <array>

#include "app/workflow/temporary_folder.hpp"
#include "devices/acquisition/session_document.hpp"
#include "fitting/contact/contact_rig.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

constexpr std::array kPlateSpeeds_mm_per_s{0.025, 0.05, 0.1};  // what touches is rigid
constexpr std::array kSpringSpeeds_mm_per_s{0.1, 0.3, 1.0};
constexpr int kRepeats = 2;
constexpr double kUsual_N = 5, kHard_N = 15;
constexpr double kOfLimit = 0.6;  // of the rig's force limit: a step of the stage may be much more

json protocol_for(const PlateRequest& request, double force_N) {
  json steps{{{"do", "zero"}, {"time_s", 2}}};
  for (const double speed : request.spring_N_per_m ? kSpringSpeeds_mm_per_s : kPlateSpeeds_mm_per_s)
    steps.push_back(
        {{"do", "plate"}, {"force_N", force_N}, {"speed_mm_s", speed}, {"repeats", kRepeats}});
  // Any tip will do; one must be named, and what the rig file says counts.
  return {{"format", "tactelier/protocol"},
          {"version", 1},
          {"name", request.spring_N_per_m ? "reference spring" : "plate"},
          {"indenter", {{"shape", "cylinder"}, {"diameter_mm", 1.0}}},
          {"steps", steps}};
}

Result<void> keep_in_rig_file(const FoundPlate& found, const PlateRequest& request,
                              const Job& job) {
  auto rig = load_rig(request.place.rig.string());
  if (!rig) return fail(rig.error());
  json changes{{"compliance_um_per_N", *found.compliance.value * 1e6},
               {"compliance_date", rig::utc_now()},
               {"stage", {{"backlash_um", {{"z", found.backlash_m * 1e6}}}}}};
  if (found.top_m && rig->plate_m)
    changes["plate_mm"] = {m_to_mm((*rig->plate_m)[0]), m_to_mm((*rig->plate_m)[1]),
                           m_to_mm(found.top_m->value)};
  auto client = reach_rig(request.place, job);
  if (!client) return fail(client.error());
  Warnings ignored;
  auto kept = client->follow(rig::messages::keep_request(changes), {}, ignored);
  if (!kept) return fail(kept.error());
  return {};
}

Result<FoundPlate> press_plate(const PlateRequest& request, double force_N,
                               const std::filesystem::path& keep, const AskPerson& ask,
                               const Job& job) {
  const auto folder = TemporaryFolder::create();
  if (!folder) return fail(folder.error());
  RecordRequest record;
  record.place = request.place;
  record.protocol = ((*folder)->path() / "plate.json").string();
  record.target = keep.empty() ? (*folder)->path() / "plate.tact" : keep;
  record.reference_spring_N_per_m = request.spring_N_per_m;
  if (auto written = write_text_file(record.protocol, protocol_for(request, force_N).dump());
      !written)
    return fail(written.error());
  const auto recorded = record_session(record, ask, job);
  if (!recorded) return fail(recorded.error());
  if (!recorded->complete) return Job::cancelled();
  auto found = evaluate_plate(record.target, job);
  if (!found) return fail(found.error());
  found->warnings.insert(found->warnings.begin(), recorded->warnings.begin(),
                         recorded->warnings.end());
  return found;
}

}  // namespace

Result<FoundPlate> evaluate_plate(const std::filesystem::path& recording, const Job& job) {
  const auto session = Session::open(recording);
  if (!session) return fail(session.error());
  FitContext context;
  context.sessions.push_back({&*session, {}, {}});
  context.job = job;
  context.model = empty_model(session->metadata().sensor);
  auto clocks = session_clocks(context.sessions.front(), job);
  if (!clocks) return fail(clocks.error());
  context.clocks.push_back(std::move(*clocks));
  auto rig = find_rig(context, 0);
  if (!rig) return fail(rig.error());
  auto latency = find_stage_latency(context, 0);
  if (!latency) return fail(latency.error());
  FoundPlate found{rig->c1,
                   rig->seating,
                   rig->compliance.backlash_m,
                   rig->plate_travel_m,
                   std::move(*latency),
                   std::move(rig->warnings)};
  if (found.top_m) found.top_m->value = -found.top_m->value;  // travel is positive down
  return found;
}

Result<FoundPlate> measure_plate(const PlateRequest& request, const AskPerson& ask,
                                 const Job& job) {
  const auto rig = load_rig(request.place.rig.string());
  if (!rig) return fail(rig.error());
  if (!rig->plate_m)
    return fail(ErrorCode::kInvalidInput,
                "{}: says nowhere where the plate is: write its top in the stage frame as "
                "\"plate_mm\": [x, y, z]",
                request.place.rig.string());
  const bool harder = !request.force_N && !request.spring_N_per_m &&
                      kHard_N <= kOfLimit * rig->limits.max_force_N.value_or(0);
  auto harder_file = request.keep;
  if (!harder_file.empty()) harder_file.replace_filename(harder_file.stem().string() + "-15N.tact");
  std::error_code unknown;
  if (harder && !harder_file.empty() && std::filesystem::exists(harder_file, unknown))
    return fail(ErrorCode::kIo,
                "{}: there is a file of this name, which a second, harder press would take; "
                "choose another for the first, or remove it",
                harder_file.string());
  const double usual_N = std::min(kUsual_N, rig->limits.max_force_N.value_or(kUsual_N));
  auto found = press_plate(request, request.force_N.value_or(usual_N), request.keep, ask, job);
  if (found && !found->compliance.identified() && harder)
    found = press_plate(request, kHard_N, harder_file, ask, job);
  if (!found || request.spring_N_per_m) return found;
  if (!found->compliance.identified())
    return fail(ErrorCode::kUnidentifiable,
                "{} Press it harder: a step of the stage may be most of the force",
                found->compliance.reason);
  if (auto kept = keep_in_rig_file(*found, request, job); !kept) return fail(kept.error());
  return found;
}

}  // namespace tactelier
