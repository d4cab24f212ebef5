#include "app/gui/state/mode.hpp"

#include <QCoreApplication>

namespace tactelier::gui {

ModeLook modeLook(Mode mode) {
  const auto tr = [](const char* word) { return QCoreApplication::translate("Mode", word); };
  // Same colours in both themes: a mode is recognised, not read.
  switch (mode) {
    case Mode::kIdle:
      return {tr("IDLE"), QStringLiteral("mode-idle"), 0xFF566070, 0xFFFFFFFF, false};
    case Mode::kSetUp:
      return {tr("SET-UP"), QStringLiteral("mode-setup"), 0xFF1C5FA8, 0xFFFFFFFF, false};
    case Mode::kArmed:
      return {tr("ARMED"), QStringLiteral("mode-armed"), 0xFFF5B301, 0xFF141414, false};
    case Mode::kRunning:
      return {tr("RUNNING"), QStringLiteral("mode-running"), 0xFF17733B, 0xFFFFFFFF, false};
    case Mode::kPaused:
      return {tr("PAUSED"), QStringLiteral("mode-paused"), 0xFF6A3FA0, 0xFFFFFFFF, false};
    case Mode::kStopped:
      return {tr("STOPPED"), QStringLiteral("mode-stopped"), 0xFFFFFFFF, 0xFFA81E17, true};
    case Mode::kFault:
      return {tr("FAULT"), QStringLiteral("mode-fault"), 0xFFB3261E, 0xFFFFFFFF, false};
    case Mode::kUnknown:
      return {tr("UNKNOWN"), QStringLiteral("mode-unknown"), 0xFF7A4B00, 0xFFFFFFFF, false};
  }
  return {};
}

}  // namespace tactelier::gui
