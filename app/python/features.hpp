#pragma once
// What an image says of the contact, as Python has it: SI, arrays of points.

#include <pybind11/pybind11.h>

#include "app/workflow/image_summary.hpp"

namespace tactelier::python {

pybind11::dict features_of(const ImageSummary& summary);

}  // namespace tactelier::python
