#include "libcalib/model_file/sensor_model.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "libcalib/model_file/visiting.hpp"

namespace tactelier {
namespace {

std::string not_run(std::string_view stage) {
  return "NOT-FITTED stage '" + std::string(stage) + "' was not run";
}

constexpr std::array<std::pair<TactelStatus, std::string_view>, 5> kNames{{
    {TactelStatus::kIdentified, "identified"},
    {TactelStatus::kPredicted, "predicted"},
    {TactelStatus::kDead, "dead"},
    {TactelStatus::kStuck, "stuck"},
    {TactelStatus::kNotPressed, "not_pressed"},
}};

struct NotFitted {
  void operator()(const char*, Parameter& parameter, std::string_view unit,
                  std::string_view stage) const {
    if (parameter.value || !parameter.reason.empty()) return;
    parameter = unidentifiable(std::string(unit), not_run(stage), std::string(stage));
  }
  void operator()(const char* name, std::vector<Parameter>& list, std::string_view unit,
                  std::string_view stage) const {
    for (auto& parameter : list) (*this)(name, parameter, unit, stage);
  }
  template <class T>
  void operator()(const char* name, T& member) const {
    if constexpr (Visitable<T>)
      T::visit(member, *this);
    else if constexpr (VisitableList<T>)
      for (auto& entry : member) (*this)(name, entry);
    else if constexpr (VisitableMap<T>)
      for (auto& [key, entry] : member) (*this)(name, entry);
  }
};

}  // namespace

bool untouched(const Parameter& parameter, std::string_view stage) {
  return !parameter.value && parameter.reason == not_run(stage);
}

std::string_view to_string(TactelStatus status) {
  for (const auto& [value, name] : kNames)
    if (value == status) return name;
  return {};
}

std::optional<TactelStatus> tactel_status_from(std::string_view text) {
  for (const auto& [value, name] : kNames)
    if (name == text) return value;
  return std::nullopt;
}

SensorModel empty_model(const SensorDescription& sensor) {
  SensorModel model;
  model.sensor = sensor;
  const auto tactels = static_cast<std::size_t>(sensor.tactels());
  model.response.tactels.resize(tactels);
  for (std::size_t i = 0; i < tactels; ++i) model.response.tactels[i].index = static_cast<int>(i);
  model.stiffness.k_punch_tactel.resize(tactels);
  mark_not_fitted(model);
  return model;
}

void mark_not_fitted(SensorModel& model) { SensorModel::visit(model, NotFitted()); }

}  // namespace tactelier
