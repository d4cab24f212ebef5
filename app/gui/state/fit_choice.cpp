#include "app/gui/state/fit_choice.hpp"

namespace tactelier::gui {
namespace {

template <class Set, class Key>
bool hold(Set& set, const Key& key, bool in) {
  return in ? set.insert(key).second : set.erase(key) > 0;
}

}  // namespace

void FitChoice::setUsed(const RecordingDocument* recording, bool used) {
  if (hold(left_out_, recording, !used)) emit changed();
}

void FitChoice::setRuns(const std::string& stage, bool run) {
  if (hold(skipped_, stage, !run)) emit changed();
}

}  // namespace tactelier::gui
