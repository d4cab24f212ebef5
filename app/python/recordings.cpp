#include "app/python/recordings.hpp"

#include <pybind11/stl.h>

#include <cmath>

#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/sessions.hpp"
#include "app/workflow/edit_session.hpp"
#include "app/workflow/import_session.hpp"
#include "app/workflow/synth_session.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::python {
namespace {

py::dict import_recording(const py::object& source, const py::object& target, const py::object& map,
                          bool sort, bool overwrite, const py::object& progress) {
  ImportRequest request;
  request.source = path_of(source);
  request.target = path_of(target);
  if (!map.is_none()) request.map = path_of(map);
  request.options = {sort, overwrite};
  may_write(request.target, overwrite);
  const auto report =
      run_job<ImportReport>([&](const Job& job) { return import_session(request, job); }, progress);
  py::dict told;
  told["session"] = request.target.string();
  told["rows"] = report.rows;
  told["bytes"] = report.bytes;
  told["presses"] = report.presses;
  told["warnings"] = list_of(report.warnings);
  return told;
}

Edit press_edit(Edit::Kind kind, int press) {
  Edit edit;
  edit.kind = kind;
  edit.press = press;
  return edit;
}

std::vector<Edit> new_edits(const std::vector<int>& exclude, const std::vector<int>& include,
                            const std::map<int, std::optional<double>>& contact_s,
                            const std::vector<std::string>& notes) {
  std::vector<Edit> edits;
  for (const int press : exclude) edits.push_back(press_edit(Edit::Kind::kExclude, press));
  for (const int press : include) edits.push_back(press_edit(Edit::Kind::kInclude, press));
  for (const auto& [press, at_s] : contact_s) {
    edits.push_back(press_edit(Edit::Kind::kContact, press));
    edits.back().contact_s = at_s.value_or(std::nan(""));
  }
  for (const auto& note : notes) {
    edits.push_back(press_edit(Edit::Kind::kNote, 0));
    edits.back().note = note;
  }
  return edits;
}

std::vector<std::string> edit(const py::object& session, const std::vector<int>& exclude,
                              const std::vector<int>& include,
                              const std::map<int, std::optional<double>>& contact_s,
                              const std::vector<std::string>& notes) {
  const auto file = session_path(session);
  auto edits = new_edits(exclude, include, contact_s, notes);
  if (edits.empty())
    raise({ErrorCode::kUsage, "nothing to do; give exclude, include, contact_s or notes"});
  std::vector<std::string> words;
  for (const auto& one : value_of(edit_session(file, std::move(edits))))
    words.push_back(one.describe());
  return words;
}

/// By a protocol, or by targets: those given, else those that the protocol states.
Result<SynthOutcome> synthesised(const SynthRequest& request,
                                 const std::optional<AdaptiveWish>& wish, const Job& job) {
  if (wish)
    return synth_until(
        request, *wish, [](const AdaptiveNews&) {}, job);
  const auto protocol = load_protocol(request.protocol);
  if (!protocol) return fail(protocol.error());
  if (auto stated = wish_in(*protocol)) {
    stated->seed = request.seed;
    return synth_until(
        request, *stated, [](const AdaptiveNews&) {}, job);
  }
  return synth_session(request, job);
}

py::dict told_of(const SynthOutcome& made) {
  py::dict told;
  told["recording"] = made.recording.string();
  told["truth"] = made.truth.string();
  told["rig_truth"] = made.rig_truth.string();
  told["duration_s"] = made.duration_s;
  told["presses"] = made.presses;
  told["warnings"] = list_of(made.warnings);
  return told;
}

std::optional<std::filesystem::path> maybe_path(const py::object& path) {
  if (path.is_none()) return {};
  return path_of(path);
}

constexpr const char* kImportHelp =
    "A session folder, or with a map tables from elsewhere, as a .tact file, as `tactelier "
    "import`.\n\n"
    "map: file that says which column is what (docs/bring-your-own.md); `tactelier import --guess` "
    "proposes one.\n"
    "sort: orders the samples by time instead of refusing time that runs backwards.\n\n"
    "Returns a dict of session, rows, bytes, presses and warnings. Raises Error naming file, line "
    "and cause;\nnothing half-imported stays behind.";

constexpr const char* kEditHelp =
    "Adds decisions to a .tact file, as `tactelier edit`; the recording itself stays as it was.\n\n"
    "exclude, include: numbers of presses. contact_s: by press the time of first touch in host "
    "seconds;\nNone: where the data have it. notes: remarks.\n\n"
    "Returns all edits of the file, in words. A Session that is open shows those from when it was "
    "opened.";

constexpr const char* kSynthHelp =
    "A protocol carried out on a simulated pad, as `tactelier synth`; the pad's truth stands "
    "beside it.\n\n"
    "protocol: name or file. until, minutes: instead, presses that are chosen until targets are "
    "reached,\n'gain 2 %, sigma 1 %', within so many minutes of rig time.\n"
    "sensor: name or file of the description that a pad is drawn for; truth: a model to simulate "
    "instead.\n"
    "rig: rig file. preset: 'clean', 'lab' or 'rough'. steps: 'ticks' or 'ringing'. seed: of pad, "
    "rig and noise.\n"
    "draw: what a drawn pad has besides: 'relaxation', 'hardening', 'student', 'anisotropic', "
    "'none'.\n\n"
    "Returns a dict of recording, truth, rig_truth, duration_s, presses and warnings.";

}  // namespace

void add_recordings(py::module_& module) {
  module.def("import_recording", &import_recording, py::arg("source"), py::arg("target"),
             py::kw_only(), py::arg("map") = py::none(), py::arg("sort") = false,
             py::arg("overwrite") = false, py::arg("progress") = py::none(), kImportHelp);
  module.def("edit", &edit, py::arg("session"), py::kw_only(),
             py::arg("exclude") = std::vector<int>(), py::arg("include") = std::vector<int>(),
             py::arg("contact_s") = std::map<int, std::optional<double>>(),
             py::arg("notes") = std::vector<std::string>(), kEditHelp);
  module.def(
      "synth",
      [](const py::object& target, std::string protocol, const std::string& until,
         std::optional<double> minutes, const py::object& sensor, const py::object& truth,
         const py::object& rig, std::string preset, std::string steps, std::uint64_t seed,
         std::vector<std::string> draw, bool overwrite, const py::object& progress) {
        SynthRequest request;
        request.protocol = std::move(protocol);
        request.target = path_of(target);
        request.overwrite = overwrite;
        request.sensor = path_of(sensor).string();
        request.truth = maybe_path(truth);
        request.rig = maybe_path(rig);
        request.preset = std::move(preset);
        request.steps = std::move(steps);
        request.seed = seed;
        request.draw = std::move(draw);
        std::optional<AdaptiveWish> wish;
        if (!until.empty() || minutes) wish = AdaptiveWish{until, minutes, seed, {}};
        if (request.protocol.empty() == !wish)
          raise({ErrorCode::kUsage, "give a protocol, or until or minutes"});
        may_write(request.target, overwrite);
        return told_of(run_job<SynthOutcome>(
            [&](const Job& job) { return synthesised(request, wish, job); }, progress));
      },
      py::arg("target"), py::kw_only(), py::arg("protocol") = "", py::arg("until") = "",
      py::arg("minutes") = py::none(), py::arg("sensor") = SynthRequest().sensor,
      py::arg("truth") = py::none(), py::arg("rig") = py::none(), py::arg("preset") = "clean",
      py::arg("steps") = "", py::arg("seed") = SynthRequest().seed,
      py::arg("draw") = std::vector<std::string>(), py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kSynthHelp);
}

}  // namespace tactelier::python
