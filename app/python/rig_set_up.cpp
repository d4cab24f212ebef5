// new_rig(), Rig.plate(), Rig.set_up(): from unboxing to a rig that is ready (docs/first-rig.md).

#include <pybind11/stl.h>

#include "app/python/objects.hpp"
#include "app/python/questions.hpp"
#include "app/python/rig_client.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/rig_draft.hpp"
#include "app/workflow/rig_setup.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/sensor/press_axis.hpp"

namespace tactelier::python {
namespace {

constexpr double kLeastForce_N = 0.2, kMostForce_N = 100;  // bounds as the command line's
constexpr double kLeastSpring_N_per_m = 1e3, kMostSpring_N_per_m = 1e5;

/// What a person said; the rest is usual, and the file says so.
struct SaidOfRig {
  RigAnswers answers;  // that have no usual value
  std::optional<std::string> name, press_axis;
  std::optional<double> max_force_N, max_depth_m, safe_height_m;
};

/// `into` holds what is usual.
template <class Value>
void take(const std::optional<Value>& said, Value& into, const char* key,
          std::set<std::string>& usual) {
  if (said)
    into = *said;
  else
    usual.insert(key);
}

Result<RigDraft> write_new_rig(const std::filesystem::path& devices, const SaidOfRig& said,
                               const std::filesystem::path& target) {
  auto answers = said.answers;
  take(said.name, answers.name, "/name", answers.usual);
  take(said.press_axis, answers.press_axis, "/force_sensor/press_axis", answers.usual);
  if (auto axis = parse_press_axis(answers.press_axis, "press_axis"); !axis)
    return fail(ErrorCode::kUsage, "{}", axis.error().message);
  const auto file = devices::load_device_file(devices);
  if (!file) return fail(file.error());
  const auto findings = look_at_rig(*file);
  if (!findings) return fail(findings.error());
  answers.max_force_N = usual_force_N(*findings, answers.press_axis);
  answers.max_depth_m = usual_depth_m(*findings);
  take(said.max_force_N, answers.max_force_N, "/limits/max_force_N", answers.usual);
  take(said.max_depth_m, answers.max_depth_m, "/limits/max_depth_mm", answers.usual);
  take(said.safe_height_m, answers.safe_height_m, "/stage/safe_height_mm", answers.usual);
  return write_rig(answers, *findings, target);
}

/// One without an id is called by its shape: "cylinder1".
std::string indenter_of(const py::object& given) {
  if (given.is_none()) return {};
  auto indenter = nlohmann::ordered_json::parse(json_or_file(given), nullptr, false);
  if (!indenter.is_object())
    raise({ErrorCode::kUsage, "indenter: a dict, as in {'shape': 'cylinder', 'diameter_mm': 1}"});
  const auto sound = value_of(parse_indenter(indenter.dump(), "indenter"));
  if (!indenter.contains("id"))
    indenter["id"] =
        indenter.value("shape", "") + (indenter.contains("diameter_mm")
                                           ? fmt::format("{:g}", indenter.value("diameter_mm", 0.0))
                                           : "");
  return indenter.dump();
}

py::dict new_rig(const py::object& devices, const py::object& path, const SaidOfRig& said,
                 bool overwrite, const py::object& progress) {
  const auto device_file = path_of(devices), target = path_of(path);
  may_write(target, overwrite);
  const auto draft = run_job<RigDraft>(
      [&](const Job&) { return write_new_rig(device_file, said, target); }, progress);
  const auto keys = list_of(draft.keys, [](const RigKey& one) {
    return py::dict("key"_a = one.key, "value"_a = one.value, "source"_a = one.source,
                    "meaning"_a = one.meaning);
  });
  return py::dict("rig"_a = target.string(), "notes"_a = notes_of(target).string(),
                  "document"_a = from_json(draft.document.dump()), "keys"_a = keys);
}

py::dict plate_dict(const FoundPlate& found) {
  std::optional<double> top_m, u_top_m, latency_s, u_latency_s;
  if (const auto& top = found.top_m) top_m = top->value, u_top_m = top->std;
  if (const auto& late = found.latency.latency_s) latency_s = late->value, u_latency_s = late->std;
  return py::dict("compliance_m_per_N"_a = found.compliance.value,
                  "U_compliance_m_per_N"_a = found.compliance.u_total,
                  "seating_m"_a = found.seating.value, "backlash_m"_a = found.backlash_m,
                  "plate_z_m"_a = top_m, "u_plate_z_m"_a = u_top_m, "latency_s"_a = latency_s,
                  "u_latency_s"_a = u_latency_s, "no_latency"_a = found.latency.refusal);
}

py::dict step_dict(const SetUpFound& step) {
  py::object found = py::none();
  if (step.plate) found = plate_dict(*step.plate);
  if (step.ground)
    found = py::dict("thickness_m"_a = step.ground->thickness.value,
                     "U_thickness_m"_a = step.ground->thickness.u_total,
                     "ground_z_m"_a = step.ground->height_m);
  if (!step.result.is_null()) found = from_json(step.result);
  return py::dict("step"_a = std::string(to_string(step.step)), "left_out"_a = step.left_out,
                  "words"_a = step.words, "found"_a = found);
}

py::dict plate(const PyRig& self, PlateRequest request, bool may_move, const py::object& ask,
               const py::object& progress) {
  if (request.force_N && !(*request.force_N >= kLeastForce_N && *request.force_N <= kMostForce_N))
    raise({ErrorCode::kUsage, fmt::format("force_N={}: between {} and {}", *request.force_N,
                                          kLeastForce_N, kMostForce_N)});
  if (const auto& spring = request.spring_N_per_m;
      spring && !(*spring >= kLeastSpring_N_per_m && *spring <= kMostSpring_N_per_m))
    raise({ErrorCode::kUsage, fmt::format("spring_N_per_m={}: between {} and {}", *spring,
                                          kLeastSpring_N_per_m, kMostSpring_N_per_m)});
  check_may_move(may_move);
  request.place = self.place();
  if (!request.keep.empty()) check_free(request.keep);
  Questions questions(ask);
  const auto measured = run_job<FoundPlate>(
      [&](const Job& job) -> Result<FoundPlate> {
        auto held = client_of(self, job);  // it is started by our program
        if (!held) return fail(held.error());
        return measure_plate(request, questions.asked_by(job), job);
      },
      progress, [&] { questions.look(); });
  py::dict found = plate_dict(measured);
  found["warnings"] = list_of(measured.warnings);
  return found;
}

/// Set-up asks even on a rig that needs nothing of anybody: whether it is mounted.
AskPerson somebody(AskPerson ask) {
  if (ask) return ask;
  return [](const std::string& text, const std::string&) -> Result<std::optional<double>> {
    return fail(ErrorCode::kUsage, "'{}': nobody is there to answer; give ask", text);
  };
}

/// Where the tip stands once `show` says that it is there.
auto places_by(AskPerson show) {
  return [show = std::move(show)](rig::RigClient& client,
                                  const std::string& text) -> Result<std::optional<Vector3>> {
    const auto there = show(text, "");
    if (!there) return fail(there.error());
    if (there->value_or(0) == 0) return std::optional<Vector3>();
    const auto status = client.status();
    if (!status) return fail(status.error());
    return std::optional(status->position_m);
  };
}

struct DoneSteps {
  std::vector<SetUpFound> steps;
  Warnings warnings;
};

Result<DoneSteps> set_up_steps(const PyRig& self, const RigSetUpRequest& request, SetUpHelp help,
                               const Job& job) {
  if (auto there = check_place(request.place); !there) return fail(there.error());
  auto held = client_of(self, job);  // it is started by our program
  if (!held) return fail(held.error());
  DoneSteps done;
  std::string step;  // at hand: progress names it
  help.begins = [&](SetUpStep begun, std::string_view what) {
    step = to_string(begun);
    job.progress(fmt::format("{}: {}", step, what), 0, 0);
  };
  help.found = [&](const SetUpFound& found) { done.steps.push_back(found); };
  Job named{{}, job.stop};
  if (job.on_progress)
    named.on_progress = [&](const Progress& at) {
      job.progress(fmt::format("{}: {}", step, at.what), at.done, at.total);
    };
  if (auto all = set_up_rig(request, help, done.warnings, named); !all) return fail(all.error());
  return done;
}

py::dict set_up(const PyRig& self, const std::string& begin, std::optional<double> plate_force_N,
                bool may_move, const py::object& ask, const py::object& show,
                const py::object& progress) {
  const RigSetUpRequest request{self.place(), value_of(set_up_step(begin)), plate_force_N};
  if (plate_force_N && !(*plate_force_N >= kLeastForce_N && *plate_force_N <= kMostForce_N))
    raise({ErrorCode::kUsage, fmt::format("plate_force_N={}: between {} and {}", *plate_force_N,
                                          kLeastForce_N, kMostForce_N)});
  check_may_move(may_move);
  Questions questions(ask),
      places(show.is_none() ? show
                            : py::cpp_function([&show](const std::string&text, const std::string&) {
                                return show(text);
                              }));
  const auto done = run_job<DoneSteps>(
      [&](const Job& job) {
        SetUpHelp help;
        help.ask = somebody(questions.asked_by(job));
        if (auto shown = places.asked_by(job)) help.show_place = places_by(std::move(shown));
        return set_up_steps(self, request, std::move(help), job);
      },
      progress,
      [&] {
        questions.look();
        places.look();
      });
  return py::dict("steps"_a = list_of(done.steps, step_dict),
                  "warnings"_a = list_of(done.warnings));
}

constexpr const char* kNewRigHelp =
    "Writes a first rig file: of what a person says and of what the devices say of themselves, as "
    "`tactelier rig new`.\nNothing moves; opening a stage's port restarts many controllers.\n\n"
    "emergency_stop: whether a switch within reach cuts the motors' power. press_axis: of the "
    "force sensor, along which\npressing the tip upwards reads positive, '-z'. What is left out of "
    "name, press_axis, max_force_N, max_depth_m and\nsafe_height_m is usual, and said to be.\n"
    "tip_length_m: from the force sensor's origin. indenter: a dict, {'shape': 'cylinder', "
    "'diameter_mm': 1}. gain_u: standard\nuncertainty of the force's gain, 0.01 is 1 %. "
    "check_mass_kg: asked for at each power-up.\n"
    "pad_m, plate_m, park_m: x, y, z in the stage's frame, about where the tip touches the middle "
    "of the array, the plate's\ntop, where people reach the pad; ground_m: x, y of bare ground "
    "beside the pad.\n\n"
    "Returns a dict of rig, notes (the page beside it that tells what each key means), document, "
    "and keys: dicts of key,\nvalue, source and meaning.";

constexpr const char* kPlateHelp =
    "Finds how far the rig itself gives, and where the rigid plate is, by pressing it, as "
    "`tactelier plate`; later depths are\ncorrected by it.\n\n"
    "force_N: 0.2 to 100; None: 5, and 15 where the rig is too stiff for 5 and its limits allow "
    "it. spring_N_per_m: a\nreference spring, 1e3 to 1e5, lies in the plate's place: finds the "
    "latency between stage and force alone. keep: the\nrecording, a .tact file. may_move, ask: as "
    "of record().\n\n"
    "Returns a dict of compliance_m_per_N and plate_z_m, which the rig file has then, seating_m, "
    "backlash_m, latency_s and\ntheir uncertainties (U: 95 %, u: standard), None where there is "
    "none, no_latency (why) and warnings.";

constexpr const char* kSetUpHelp =
    "Mount, polarity, home, places, plate, surface, registration and ground, in this order, as "
    "`tactelier rig setup`.\n\n"
    "begin: the first step: 'mount', 'polarity', 'home', 'places', 'plate', 'surface', 'register' "
    "or 'ground'; so it goes on\nwhere it ended with an Error. plate_force_N: as force_N of "
    "plate(). may_move, ask: as of record(); somebody has to\nanswer, but on the virtual bench.\n"
    "show: where the rig file doesn't say where pad, plate and ground are, called with the words "
    "for each in the calling\nthread: jog() there, to about a millimetre over it, and give True; "
    "False: there is none.\n\n"
    "Returns a dict of steps, dicts of step, left_out, words and found (of 'plate' as plate(), of "
    "'surface' and 'register' as\ntheir functions, of 'ground' thickness_m, U_thickness_m, "
    "ground_z_m), and warnings. The rig file has each once it was\nfound.";

void add_new_rig(py::module_& module) {
  module.def(
      "new_rig",
      [](const py::object& devices, const py::object& path, bool emergency_stop,
         std::optional<std::string> name, std::optional<std::string> press_axis,
         std::optional<double> max_force_N, std::optional<double> max_depth_m,
         std::optional<double> safe_height_m, std::optional<double> tip_length_m,
         const py::object& indenter, std::optional<double> gain_u,
         std::optional<double> check_mass_kg, std::optional<Vector3> pad_m,
         std::optional<Vector3> plate_m, std::optional<std::array<double, 2>> ground_m,
         std::optional<Vector3> park_m, bool overwrite, const py::object& progress) {
        SaidOfRig said;
        said.answers.emergency_stop = emergency_stop;
        said.name = std::move(name);
        said.press_axis = std::move(press_axis);
        said.max_force_N = max_force_N;
        said.max_depth_m = max_depth_m;
        said.safe_height_m = safe_height_m;
        said.answers.tip_length_m = tip_length_m;
        said.answers.indenter = indenter_of(indenter);
        if (gain_u) said.answers.gain_u_percent = 100 * *gain_u;
        said.answers.check_mass_kg = check_mass_kg;
        said.answers.pad_m = pad_m;
        said.answers.plate_m = plate_m;
        said.answers.ground_m = ground_m;
        said.answers.park_m = park_m;
        return new_rig(devices, path, said, overwrite, progress);
      },
      py::arg("devices"), py::arg("path"), py::kw_only(), py::arg("emergency_stop"),
      py::arg("name") = py::none(), py::arg("press_axis") = py::none(),
      py::arg("max_force_N") = py::none(), py::arg("max_depth_m") = py::none(),
      py::arg("safe_height_m") = py::none(), py::arg("tip_length_m") = py::none(),
      py::arg("indenter") = py::none(), py::arg("gain_u") = py::none(),
      py::arg("check_mass_kg") = py::none(), py::arg("pad_m") = py::none(),
      py::arg("plate_m") = py::none(), py::arg("ground_m") = py::none(),
      py::arg("park_m") = py::none(), py::arg("overwrite") = false,
      py::arg("progress") = py::none(), kNewRigHelp);
}

}  // namespace

void add_first_set_up(py::module_& module, RigClass& rig) {
  add_new_rig(module);
  rig.def(
         "plate",
         [](const PyRig& self, std::optional<double> force_N, std::optional<double> spring_N_per_m,
            const py::object& keep, bool may_move, const py::object& ask,
            const py::object& progress) {
           PlateRequest request{{}, force_N, spring_N_per_m, {}};
           if (!keep.is_none()) request.keep = path_of(keep);
           return plate(self, std::move(request), may_move, ask, progress);
         },
         py::kw_only(), py::arg("force_N") = py::none(), py::arg("spring_N_per_m") = py::none(),
         py::arg("keep") = py::none(), py::arg("may_move") = false, py::arg("ask") = py::none(),
         py::arg("progress") = py::none(), kPlateHelp)
      .def("set_up", &set_up, py::kw_only(), py::arg("begin") = "mount",
           py::arg("plate_force_N") = py::none(), py::arg("may_move") = false,
           py::arg("ask") = py::none(), py::arg("show") = py::none(),
           py::arg("progress") = py::none(), kSetUpHelp);
}

}  // namespace tactelier::python
