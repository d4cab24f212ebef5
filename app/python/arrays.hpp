#pragma once
// Vectors become NumPy arrays without a copy: the array keeps the vector.

#include <pybind11/numpy.h>

#include <memory>
#include <utility>
#include <vector>

namespace tactelier::python {

/// `shape` row by row; its product is the vector's size.
template <class T>
pybind11::array_t<T> array_of(std::vector<T> values, std::vector<pybind11::ssize_t> shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const auto* data = kept->data();
  const pybind11::capsule owner(kept.get(),
                                [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  kept.release();
  return pybind11::array_t<T>(std::move(shape), data, owner);
}

template <class T>
pybind11::array_t<T> array_of(std::vector<T> values) {
  const auto size = static_cast<pybind11::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

/// Column after column: each is contiguous in the array of rows x columns.
inline pybind11::array_t<double> array_of_columns(std::vector<double> values, std::size_t rows,
                                                  std::size_t columns) {
  const auto count = static_cast<pybind11::ssize_t>(rows);
  auto flat = array_of(std::move(values));
  constexpr auto kStep = static_cast<pybind11::ssize_t>(sizeof(double));
  return pybind11::array_t<double>({count, static_cast<pybind11::ssize_t>(columns)},
                                   {kStep, kStep * count}, flat.data(), flat);
}

}  // namespace tactelier::python
