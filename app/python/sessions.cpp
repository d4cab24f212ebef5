#include "app/python/sessions.hpp"

#include <algorithm>
#include <mutex>

#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/python/streams.hpp"
#include "app/workflow/import_session.hpp"
#include "app/workflow/open_data/unpack_table.hpp"
#include "app/workflow/session_info_json.hpp"
#include "libcalib/session/events.hpp"

namespace tactelier::python {
namespace {

std::shared_ptr<PySession> open(const py::object& path, const py::object& progress) {
  const auto place = path_of(path);
  auto opened =
      run_job<OpenSession>([&](const Job& job) { return OpenSession::open(place, job); }, progress);
  return std::make_shared<PySession>(std::move(opened), place);
}

py::list events_of(const PySession& session) {
  return list_of(session.session().events(), [](const auto& event) {
    return py::dict("t_s"_a = event.t_s.value(), "name"_a = event.name,
                    "data"_a = from_json(event.data));
  });
}

py::list edits_of(const PySession& session) {
  return list_of(session.session().edits(), [](const auto& edit) { return edit.describe(); });
}

std::vector<Press> presses_of(const PySession& session) {
  const auto& all = session.session();
  return value_of(presses(all.events(), all.edits(), all.metadata()));
}

/// That reading has met so far.
Warnings damage_of(const PySession& session) {
  const auto opened = session.opened();
  const py::gil_scoped_release released;
  const std::scoped_lock alone(session.reading());
  return damage_warnings(opened->session(), opened->name());
}

py::list warnings_of(const PySession& session) {
  auto warnings = session.opened()->warnings();
  for (auto& one : damage_of(session)) warnings.push_back(std::move(one));
  return list_of(warnings);
}

py::list check_session(const PySession& session, const py::object& progress) {
  const auto opened = session.opened();
  run_job<void>(
      [&](const Job& job) {
        const std::shared_lock shared(session.reading());
        return opened->session().check(job);
      },
      progress);
  return list_of(damage_of(session));
}

py::tuple stream_names(const PySession& session) {
  py::list names;
  for (const auto& stream : session.session().streams())
    names.append(std::string(to_string(stream.info.kind)));
  return py::tuple(names);
}

std::string session_words(const PySession& session) {
  const auto opened = session.opened();
  std::string words = "<tactelier.Session " + opened->name();
  for (const auto& stream : opened->session().streams())
    words += fmt::format(", {} {} rows", to_string(stream.info.kind), stream.rows);
  return words + ">";
}

py::dict info(const py::object& session, const py::object& progress) {
  const auto path = session_path(session);
  const auto report =
      run_job<SessionReport>([&](const Job& job) { return session_info(path, job); }, progress);
  py::dict told = from_json(info_json(report));
  told["warnings"] = list_of(report.warnings);
  return told;
}

py::list unpack(const py::object& session, const py::object& path, bool overwrite,
                const py::object& progress) {
  const auto from = session_path(session), to = path_of(path);
  if (to.extension().empty())  // a folder, which must be new
    return list_of(
        run_job<Warnings>([&](const Job& job) { return unpack_session(from, to, job); }, progress));
  may_write(to, overwrite);
  const auto table =
      run_job<UnpackedTable>([&](const Job& job) { return unpack_table(from, to, job); }, progress);
  return list_of(table.warnings);
}

void add_press(py::module_& module) {
  py::class_<Press>(module, "Press", "One press of a recording, edits applied.")
      .def_readonly("number", &Press::number, "As edits and reports name it.")
      .def_property_readonly(
          "kind", [](const Press& press) { return std::string(to_string(press.kind)); },
          "'ramp', 'staircase', 'repeat', 'hold', 'cycle', 'speed', 'chirp', 'raster' or 'area'.")
      .def_readonly("begin_s", &Press::begin_s, "In free air, host seconds.")
      .def_readonly("end_s", &Press::end_s, "Host seconds.")
      .def_readonly("tactel", &Press::tactel, "Index; None for a press between tactels.")
      .def_readonly("x_m", &Press::x_m, "In the sensor's frame; None where it is not known.")
      .def_readonly("y_m", &Press::y_m, "In the sensor's frame; None where it is not known.")
      .def_readonly("site", &Press::site, "Number of the place; None without one.")
      .def_readonly("outcome", &Press::outcome, "'ok', or why it is none (docs/session-format.md).")
      .def_readonly("excluded", &Press::excluded, "By an edit.")
      .def_readonly("contact_s", &Press::contact_s, "Of first touch, where a person set it.")
      .def_property_readonly("usable", &Press::usable, "Whether a fit may use it.")
      .def("__repr__", [](const Press& press) {
        return fmt::format("<tactelier.Press {}, {}, {:.3f} s to {:.3f} s>", press.number,
                           to_string(press.kind), press.begin_s, press.end_s);
      });
}

SessionClass add_session(py::module_& module) {
  SessionClass session(
      module, "Session",
      "A recording, open for reading: tactelier.open(). session['force'] is a Stream.");
  session
      .def_property_readonly(
          "name", [](const PySession& self) { return self.opened()->name(); },
          "Of the file or folder.")
      .def_property_readonly(
          "path", [](const PySession& self) { return self.path().string(); }, "As it was opened.")
      .def_property_readonly("streams", &stream_names,
                             "Names of the streams that are there: 'force', 'stage', 'tactile', "
                             "'aux'.")
      .def_property_readonly(
          "metadata",
          [](const PySession& self) { return from_json(self.session().metadata().document); },
          "session.json as a dict (docs/session-folder.md).")
      .def_property_readonly("events", &events_of,
                             "What was done when: dicts of t_s (host seconds), name and data.")
      .def_property_readonly("edits", &edits_of, "Later decisions, in words.")
      .def_property_readonly("presses", &presses_of, "In the order of their begin, edits applied.")
      .def_property_readonly(
          "finished", [](const PySession& self) { return self.session().finished(); },
          "False: the recording was cut off; all that was written is here.")
      .def_property_readonly("warnings", &warnings_of,
                             "Of the import, and of damage that reading has met so far.")
      .def(
          "content_hash",
          [](const PySession& self) { return value_of(self.session().content_hash()); },
          "SHA-256 of samples, metadata and events; edits left out. Models name it.")
      .def("check", &check_session, py::kw_only(), py::arg("progress") = py::none(),
           "Decodes everything, as `tactelier info` does. Returns what is damaged: warnings, none "
           "where all is whole.")
      .def("close", &PySession::close, "Streams that are in use stay open.")
      .def("__contains__",
           [](const PySession& self, const std::string& name) {
             return std::ranges::any_of(self.session().streams(), [&](const auto& stream) {
               return to_string(stream.info.kind) == name;
             });
           })
      .def("__iter__", [](const PySession& self) { return py::iter(stream_names(self)); })
      .def("__len__", [](const PySession& self) { return self.session().streams().size(); })
      .def("__enter__", [](const std::shared_ptr<PySession>& self) { return self; })
      .def("__exit__", [](PySession& self, const py::args&) { self.close(); })
      .def("__repr__", &session_words);
  return session;
}

}  // namespace

std::shared_ptr<const OpenSession> PySession::opened() const {
  if (!opened_) raise({ErrorCode::kUsage, path_.string() + ": the session is closed"});
  return opened_;
}

std::filesystem::path session_path(const py::handle& session) {
  if (py::isinstance<PySession>(session)) return session.cast<const PySession&>().path();
  return path_of(session);
}

std::vector<std::filesystem::path> session_paths(const py::handle& sessions) {
  const bool one = py::isinstance<PySession>(sessions) || py::isinstance<py::str>(sessions) ||
                   py::hasattr(sessions, "__fspath__");
  if (one) return {session_path(sessions)};
  std::vector<std::filesystem::path> paths;
  for (const auto& session : sessions) paths.push_back(session_path(session));
  return paths;
}

void add_sessions(py::module_& module) {
  add_press(module);
  auto session = add_session(module);
  add_streams(module, session);
  module.def("open", &open, py::arg("path"), py::kw_only(), py::arg("progress") = py::none(),
             "Opens a recording for reading: a .tact file, or a session folder, which is imported "
             "into a\ntemporary file first.\n\nprogress: called with a Progress, about ten times a "
             "second.\nRaises Error.");
  module.def("info", &info, py::arg("session"), py::kw_only(), py::arg("progress") = py::none(),
             "What a recording holds, as `tactelier info --json` has it: streams with rates and "
             "gaps, events,\npresses and which of them no fit can use, damage. Reads and checks "
             "everything. Returns a dict.");
  module.def("unpack", &unpack, py::arg("session"), py::arg("path"), py::kw_only(),
             py::arg("overwrite") = false, py::arg("progress") = py::none(),
             "Writes a recording as one file of arrays (.h5, .mat) or messages (.mcap), in SI\n"
             "(docs/open-data.md); a path without an ending is a new folder of plain files, every "
             "digit as recorded\n(docs/session-folder.md). Returns warnings: what was damaged and "
             "is left out.");
}

}  // namespace tactelier::python
