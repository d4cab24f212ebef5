#pragma once
// Small things of the library as Python's own objects.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/python/errors.hpp"

namespace tactelier::python {

/// dict, list, str, float, ... of JSON text.
inline py::object from_json(const std::string& text) {
  return py::module_::import("json").attr("loads")(text);
}

inline py::object from_json(const nlohmann::json& document) {
  return from_json(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

using namespace py::literals;  // py::dict("code"_a = code)

/// What `made` gives of each.
template <class Things, class Made>
py::list list_of(const Things& things, const Made& made) {
  py::list list;
  for (const auto& thing : things) list.append(made(thing));
  return list;
}

/// As the command line's --json has them.
inline py::list list_of(const Warnings& warnings) {
  return list_of(warnings, [](const Warning& warning) {
    return py::dict("code"_a = warning.code, "text"_a = warning.text, "where"_a = warning.where);
  });
}

/// str or os.PathLike.
inline std::filesystem::path path_of(const py::handle& object) {
  return py::module_::import("os").attr("fspath")(object).cast<std::string>();
}

/// A dict as JSON; JSON text, or a file that holds it, as it is.
inline std::string json_or_file(const py::object& object) {
  if (py::isinstance<py::dict>(object))
    return py::module_::import("json").attr("dumps")(object).cast<std::string>();
  return path_of(object).string();
}

/// Raises where the file is there and may not be replaced.
inline void may_write(const std::filesystem::path& file, bool overwrite) {
  std::error_code unknown;
  if (overwrite || !std::filesystem::exists(std::filesystem::symlink_status(file, unknown))) return;
  raise({ErrorCode::kUsage,
         fmt::format("'{}' is there already; overwrite=True replaces it", file.string())});
}

}  // namespace tactelier::python
