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

/// As the command line's --json has them.
inline py::list list_of(const Warnings& warnings) {
  py::list list;
  for (const auto& warning : warnings) {
    py::dict one;
    one["code"] = warning.code;
    one["text"] = warning.text;
    one["where"] = warning.where;
    list.append(one);
  }
  return list;
}

/// str or os.PathLike.
inline std::filesystem::path path_of(const py::handle& object) {
  return py::module_::import("os").attr("fspath")(object).cast<std::string>();
}

/// Raises where the file is there and may not be replaced.
inline void may_write(const std::filesystem::path& file, bool overwrite) {
  std::error_code unknown;
  if (overwrite || !std::filesystem::exists(std::filesystem::symlink_status(file, unknown))) return;
  raise({ErrorCode::kUsage,
         fmt::format("'{}' is there already; overwrite=True replaces it", file.string())});
}

}  // namespace tactelier::python
