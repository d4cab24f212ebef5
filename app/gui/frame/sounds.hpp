#pragma once
// A sound when the rig is stopped, has a fault or asks for something; off until somebody wants it.

#include <QObject>
#include <functional>

#include "app/gui/state/mode.hpp"

namespace tactelier::gui {

class Preferences;
class RigLink;

class Sounds : public QObject {
  Q_OBJECT
 public:
  /// `sound`: the desktop's, or a test's. All outlive it.
  Sounds(const Preferences& preferences, const RigLink& rig, std::function<void()> sound,
         QObject* parent);

 private:
  const Preferences& preferences_;
  std::function<void()> sound_;
  Mode mode_ = Mode::kIdle;
};

}  // namespace tactelier::gui
