#include "app/python/streams.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <shared_mutex>
#include <string>
#include <variant>

#include "app/python/arrays.hpp"
#include "app/python/objects.hpp"
#include "app/python/run_job.hpp"
#include "app/workflow/open_data/unpack_table.hpp"

namespace tactelier::python {
namespace {

class PyStream {
 public:
  PyStream(std::shared_ptr<PySession> session, const StreamSummary& summary)
      : session_(std::move(session)),
        opened_(session_->opened()),
        summary_(&summary),
        columns_(stream_columns(summary.info)) {}

  const StreamSummary& summary() const { return *summary_; }
  const StreamColumns& columns() const { return columns_; }

  Samples read(const std::vector<std::string>& columns, TimeRange range,
               const py::object& progress) const {
    return run_job<Samples>(
        [&](const Job& job) {
          const std::shared_lock shared(session_->reading());
          return opened_->session().read(summary_->info.kind, columns, range, job);
        },
        progress);
  }

 private:
  std::shared_ptr<PySession> session_;  // for its lock
  std::shared_ptr<const OpenSession> opened_;
  const StreamSummary* summary_;
  StreamColumns columns_;
};

std::unique_ptr<PyStream> stream_of(const std::shared_ptr<PySession>& session,
                                    const std::string& name) {
  for (const auto& stream : session->session().streams())
    if (to_string(stream.info.kind) == name) return std::make_unique<PyStream>(session, stream);
  raise({ErrorCode::kInvalidInput,
         fmt::format("{}: has no stream '{}'", session->path().string(), name)});
}

using Names = std::variant<std::string, std::vector<std::string>>;

std::vector<double> one_after_the_other(const std::vector<std::vector<double>>& columns,
                                        std::size_t rows) {
  const py::gil_scoped_release released;
  std::vector<double> all(columns.size() * rows);
  for (std::size_t i = 0; i < columns.size(); ++i)
    std::ranges::copy(columns[i], all.begin() + static_cast<std::ptrdiff_t>(i * rows));
  return all;
}

py::tuple read(const PyStream& stream, const std::optional<Names>& names, double begin_s,
               double end_s, const py::object& progress) {
  const TimeRange range{begin_s, end_s};
  if (names && std::holds_alternative<std::string>(*names)) {
    auto samples = stream.read({std::get<std::string>(*names)}, range, progress);
    return py::make_tuple(array_of(std::move(samples.time_s)),
                          array_of(std::move(samples.columns.front())));
  }
  const auto& columns = names ? std::get<std::vector<std::string>>(*names) : stream.columns().names;
  auto samples = stream.read(columns, range, progress);
  const auto rows = samples.rows();
  auto values = one_after_the_other(samples.columns, rows);
  return py::make_tuple(array_of(std::move(samples.time_s)),
                        array_of_columns(std::move(values), rows, columns.size()));
}

py::object time_of(const PyStream& stream) {
  return array_of(stream.read({}, {}, py::none()).time_s);
}

py::object column_of(const PyStream& stream, const std::string& name) {
  if (name == stream.summary().info.columns.front().name) return time_of(stream);
  return array_of(std::move(stream.read({name}, {}, py::none()).columns.front()));
}

py::dict units_of(const PyStream& stream) {
  py::dict units;
  for (std::size_t i = 0; i < stream.columns().names.size(); ++i)
    units[py::str(stream.columns().names[i])] = stream.columns().units[i];
  return units;
}

std::string stream_words(const PyStream& stream) {
  const auto& summary = stream.summary();
  return fmt::format("<tactelier.Stream {}, {} rows, {:.3f} s to {:.3f} s, columns {}>",
                     to_string(summary.info.kind), summary.rows, summary.begin_s, summary.end_s,
                     fmt::join(stream.columns().names, ", "));
}

constexpr const char* kReadHelp =
    "Time and values of columns, in SI units, from begin_s to before end_s.\n\n"
    "columns: a name, then values has the shape (rows,); a list of names, or None for all, then\n"
    "it has (rows, columns) and each column is contiguous. Both arrays are float64 and own their\n"
    "memory; a missing cell is NaN, rows of a damaged stretch are left out (Session.warnings).\n"
    "Times are the stream's own clock: host seconds where clocks are shared.\n\n"
    "Returns (time_s, values). Raises Error on an unknown column.";

}  // namespace

void add_streams(py::module_& module, SessionClass& session) {
  py::class_<PyStream>(module, "Stream",
                       "Samples of one device of a recording: session['force'].\n\n"
                       "stream['Fz'] is a column as an array, stream.time_s its times.")
      .def_property_readonly(
          "name",
          [](const PyStream& self) { return std::string(to_string(self.summary().info.kind)); },
          "'force', 'stage', 'tactile' or 'aux'.")
      .def_property_readonly(
          "columns", [](const PyStream& self) { return py::tuple(py::cast(self.columns().names)); },
          "Names, time apart. Tactels are '0', '1', ... by index.")
      .def_property_readonly("units", &units_of, "SI unit by column; '' of a plain number.")
      .def_property_readonly(
          "rows", [](const PyStream& self) { return self.summary().rows; }, "As recorded.")
      .def_property_readonly(
          "begin_s", [](const PyStream& self) { return self.summary().begin_s; },
          "Of its first row.")
      .def_property_readonly(
          "end_s", [](const PyStream& self) { return self.summary().end_s; }, "Of its last row.")
      .def_property_readonly(
          "rate_hz", [](const PyStream& self) { return self.summary().rate_hz(); },
          "Mean; None with fewer than two rows.")
      .def_property_readonly("time_s", &time_of, "Of all rows, on the stream's own clock.")
      .def("read", &read, py::arg("columns") = py::none(),
           py::arg("begin_s") = -std::numeric_limits<double>::infinity(),
           py::arg("end_s") = std::numeric_limits<double>::infinity(), py::kw_only(),
           py::arg("progress") = py::none(), kReadHelp)
      .def("__getitem__", &column_of, py::arg("column"))
      .def("__contains__",
           [](const PyStream& self, const std::string& name) {
             return self.summary().info.find(name) >= 0;
           })
      .def("__iter__",
           [](const PyStream& self) { return py::iter(py::cast(self.columns().names)); })
      .def("__len__", [](const PyStream& self) { return self.columns().names.size(); })
      .def("__repr__", &stream_words);
  session.def("__getitem__", &stream_of, py::arg("stream"));
}

}  // namespace tactelier::python
