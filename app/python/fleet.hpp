#pragma once
// Many sensors from Python (docs/batch.md, docs/catalogue.md, docs/station.md).

#include <pybind11/pybind11.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tactelier::python {

/// A word, or several.
std::vector<std::string> words_of(const pybind11::handle& words);

/// Of what processes of their own are to be started with; None: the one on PATH. Raises where there
/// is none.
std::filesystem::path worker_program(const pybind11::object& program);

void add_fleet_batches(pybind11::module_& module);
void add_catalogues(pybind11::module_& module);
void add_station(pybind11::module_& module);

}  // namespace tactelier::python
