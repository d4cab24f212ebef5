#pragma once
// Sensor models as Python sees them (docs/python.md): every number by its path, with unit,
// uncertainty and status.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier::python {

struct PyModel {
  SensorModel model;
  std::string name;                      // of its file; "" where it was fitted here
  Warnings warnings;                     // of the fit; of a file what its check says
  std::vector<std::string> unmet;        // required, but not identified
  std::vector<std::string> predictions;  // of image presses held out, in words
};

using ModelClass = pybind11::class_<PyModel, std::shared_ptr<PyModel>>;

/// The class; functions of other files add to it.
ModelClass add_models(pybind11::module_& module);

void add_parameters(pybind11::module_& module);
void add_fit(pybind11::module_& module);
void add_apply(pybind11::module_& module, ModelClass& model);
void add_forward(pybind11::module_& module, ModelClass& model);
void add_batches(ModelClass& model);
void add_free_bodies(pybind11::module_& module, ModelClass& model);
void add_export(pybind11::module_& module, ModelClass& model);
void add_verify_export(ModelClass& model);
void add_check(pybind11::module_& module, ModelClass& model);
void add_refresh(pybind11::module_& module, ModelClass& model);
void add_compare(pybind11::module_& module, ModelClass& model);
void add_compare_images(pybind11::module_& module);
void add_report(ModelClass& model);
void add_live(pybind11::module_& module, ModelClass& model);
void add_rig_newtons(pybind11::module_& module, ModelClass& model);

}  // namespace tactelier::python
