#include "app/gui/state/fit_choice.hpp"

#include <algorithm>
#include <utility>

#include "fitting/engine/stage.hpp"

namespace tactelier::gui {
namespace {

template <class Set, class Key>
bool hold(Set& set, const Key& key, bool in) {
  return in ? set.insert(key).second : set.erase(key) > 0;
}

}  // namespace

void FitChoice::setUsed(const RecordingDocument* recording, bool used) {
  if (hold(used_, recording, used)) emit changed();
}

void FitChoice::setAlone(const RecordingDocument* recording) {
  if (std::exchange(used_, {recording}) != used_) emit changed();
}

void FitChoice::setSettings(FitSettings settings) {
  auto before = std::exchange(settings_, std::move(settings));
  if (std::exchange(before.required, settings_.required) != settings_.required)
    emit requiredChanged();
  if (before != settings_) emit changed();
}

bool FitChoice::add(const std::string& stage) {
  bool any = hold(skipped_, stage, false);
  for (const auto& each : stages())
    if (each.id == stage)
      for (const auto need : each.needs) any = add(std::string(need)) || any;
  return any;
}

bool FitChoice::skip(const std::string& stage) {
  bool any = hold(skipped_, stage, true);
  for (const auto& each : stages())
    if (std::find(each.needs.begin(), each.needs.end(), stage) != each.needs.end())
      any = skip(std::string(each.id)) || any;
  return any;
}

void FitChoice::setRuns(const std::string& stage, bool run) {
  if (run ? add(stage) : skip(stage)) emit changed();
}

}  // namespace tactelier::gui
