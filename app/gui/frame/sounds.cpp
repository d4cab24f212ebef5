#include "app/gui/frame/sounds.hpp"

#include <utility>

#include "app/gui/state/preferences.hpp"
#include "app/gui/state/rig_link.hpp"

namespace tactelier::gui {

Sounds::Sounds(const Preferences& preferences, const RigLink& rig, std::function<void()> sound,
               QObject* parent)
    : QObject(parent), preferences_(preferences), sound_(std::move(sound)) {
  connect(&rig, &RigLink::changed, this, [this, &rig] {
    const auto before = std::exchange(mode_, rig.mode());
    const bool alarms = mode_ == Mode::kStopped || mode_ == Mode::kFault || mode_ == Mode::kUnknown;
    if (alarms && mode_ != before && preferences_.sounds()) sound_();
  });
  connect(&rig, &RigLink::asked, this, [this, &rig] {
    if (rig.question() && preferences_.sounds()) sound_();
  });
}

}  // namespace tactelier::gui
