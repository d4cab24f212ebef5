// Rig.preview(): what a recording would do, and what the supervisor watches meanwhile.

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/recordings.hpp"
#include "app/python/rig_client.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/rig_overview.hpp"

namespace tactelier::python {
namespace {

struct Previewed {
  RecordPreview preview;
  std::optional<PlannedRecording> planned;  // not of presses that are chosen
};

Result<Previewed> previewed(const RecordRequest& request, bool tells, const Job& job) {
  auto preview = preview_recording(request);
  if (!preview) return fail(preview.error());
  Previewed made{std::move(*preview), {}};
  if (!tells || made.preview.adaptive) return made;
  auto planned = plan_recording(request, made.preview, true, job);
  if (!planned) return fail(planned.error());
  made.planned = std::move(*planned);
  return made;
}

py::dict preview(RecordRequest request, bool tells, const py::object& progress) {
  const auto made =
      run_job<Previewed>([&](const Job& job) { return previewed(request, tells, job); }, progress);
  const auto& seen = made.preview;
  const auto limits = list_of(seen.limits, [](const std::vector<std::string>& row) {
    return py::dict("limit"_a = row[0], "value"_a = row[1], "action"_a = row[2],
                    "overshoot"_a = row[3]);
  });
  py::object planned = py::none(), from = py::none();
  if (made.planned) planned = planned_dict(*made.planned);
  if (seen.from)
    from = py::dict("pieces_done"_a = seen.from->pieces_done, "pieces"_a = seen.from->pieces);
  return py::dict("limits"_a = limits, "emergency_stop"_a = emergency_stop_words(seen.rig),
                  "duration_s"_a = seen.plan.duration_s, "lasts_s"_a = seen.lasts_s,
                  "set_up_s"_a = seen.set_up_s, "presses"_a = seen.plan.presses,
                  "peak_force_N"_a = seen.plan.peak_force_N,
                  "worst_force_N"_a = seen.plan.worst_force_N, "resumes"_a = from,
                  "planned"_a = planned, "warnings"_a = list_of(seen.plan.warnings));
}

constexpr const char* kPreviewHelp =
    "What record() would do, and what the supervisor watches meanwhile, as `tactelier record "
    "--dry-run` and\n`--limits`. Connects to nothing.\n\n"
    "protocol, until, minutes: as of record(). resume: the .tact file that would be gone on with. "
    "tells: work out, too,\nwhat the recording will and won't tell.\n\n"
    "Returns a dict of limits (dicts of limit, value, action and overshoot, in words), "
    "emergency_stop, duration_s,\nlasts_s (by the clock on the wall, what is left of it), set_up_s "
    "(homing, surface and registration, where they are\nvoid), presses, peak_force_N, "
    "worst_force_N, resumes (pieces_done and pieces, or None), planned (as of plan(); None\nwhere "
    "presses are chosen) and warnings.";

}  // namespace

void add_preview(RigClass& rig) {
  rig.def(
      "preview",
      [](const PyRig& self, std::string protocol, std::string until, std::optional<double> minutes,
         const py::object& resume, bool tells, const py::object& progress) {
        RecordRequest request;
        request.place = self.place();
        request.resume = !resume.is_none();
        if (request.resume) request.target = path_of(resume);
        choose_presses(request, std::move(protocol), std::move(until), minutes);
        return preview(std::move(request), tells, progress);
      },
      py::arg("protocol") = "", py::kw_only(), py::arg("until") = "",
      py::arg("minutes") = py::none(), py::arg("resume") = py::none(), py::arg("tells") = true,
      py::arg("progress") = py::none(), kPreviewHelp);
}

}  // namespace tactelier::python
