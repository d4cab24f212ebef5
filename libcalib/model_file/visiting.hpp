#pragma once
// What a visitor of the sensor model (sensor_model.hpp) may meet besides parameters.

#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace tactelier {

namespace detail {
struct AnyVisitor {
  template <class... Args>
  void operator()(const Args&...) const {}
};
}  // namespace detail

/// A struct that lists its members in visit().
template <class T>
concept Visitable = requires(T& object) {
  std::remove_const_t<T>::visit(object, detail::AnyVisitor());
};

template <class T>
struct IsVisitableList : std::false_type {};
template <class T>
struct IsVisitableList<std::vector<T>> : std::bool_constant<Visitable<T>> {};

/// A list of such structs: tactels, presses, covariance blocks ...
template <class T>
concept VisitableList = IsVisitableList<std::remove_const_t<T>>::value;

template <class T>
struct IsVisitableMap : std::false_type {};
template <class T>
struct IsVisitableMap<std::map<std::string, T>> : std::bool_constant<Visitable<T>> {};

/// The same by name: clocks, quality.
template <class T>
concept VisitableMap = IsVisitableMap<std::remove_const_t<T>>::value;

}  // namespace tactelier
