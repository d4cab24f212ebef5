#pragma once
// A rig as Python has it, and what its functions share.

#include <pybind11/pybind11.h>

#include <filesystem>
#include <optional>

#include "app/python/errors.hpp"
#include "app/workflow/rig_process.hpp"

namespace tactelier::python {

/// By its files; connects when something is asked of it.
struct PyRig {
  std::filesystem::path devices;
  std::optional<std::filesystem::path> file;
  std::filesystem::path program;  // whose `rig serve` is started where none runs

  /// Raises without a rig file.
  RigPlace place() const;
};

using RigClass = py::class_<PyRig>;

/// The process of that rig; with a rig file it is started where none runs.
Result<rig::RigClient> client_of(const PyRig& self, const Job& job);

/// Raises unless somebody said that the rig may move.
void check_may_move(bool may_move);

/// Raises where a recording of that name is there.
void check_free(const std::filesystem::path& recording);

/// What record() takes of a protocol, or of presses that are chosen. Raises where both are given,
/// or neither and nothing is resumed.
void choose_presses(RecordRequest& request, std::string protocol, std::string until,
                    std::optional<double> minutes);

/// What a recording would do, and set-up as a whole.
void add_preview(RigClass& rig);
void add_first_set_up(py::module_& module, RigClass& rig);

}  // namespace tactelier::python
