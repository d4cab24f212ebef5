#include "app/gui/frame/stop_keys.hpp"

#include <QApplication>
#include <QKeyEvent>

namespace tactelier::gui {
namespace {

constexpr int kHeld_ms = 300;

bool stops(int key) { return key == Qt::Key_Escape || key == Qt::Key_F12 || key == Qt::Key_Pause; }

}  // namespace

StopKeys::StopKeys(std::function<bool()> possible, std::function<void()> stop, QObject* parent)
    : QObject(parent), possible_(std::move(possible)), stop_(std::move(stop)) {
  held_.setSingleShot(true);
  held_.setInterval(kHeld_ms);
  connect(&held_, &QTimer::timeout, this, [this] {
    if (possible_()) stop_();
  });
  qApp->installEventFilter(this);
}

bool StopKeys::eventFilter(QObject* watched, QEvent* event) {
  const auto type = event->type();
  if (type == QEvent::KeyPress || type == QEvent::ShortcutOverride)
    return press(static_cast<QKeyEvent*>(event), type == QEvent::ShortcutOverride);
  if (type == QEvent::KeyRelease) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape && !key->isAutoRepeat()) held_.stop();
  }
  return QObject::eventFilter(watched, event);
}

bool StopKeys::press(QKeyEvent* key, bool shortcut) {
  if (!stops(key->key()) || !possible_()) return false;
  const bool closes =
      key->key() == Qt::Key_Escape && (QApplication::activeModalWidget() != nullptr ||
                                       QApplication::activePopupWidget() != nullptr);
  if (closes) {
    if (!held_.isActive() && !key->isAutoRepeat()) held_.start();
    return false;
  }
  key->accept();
  // A key comes as a shortcut first, then as a press: one stop. In doubt two.
  const bool told = !shortcut && taken_ == key->key();
  taken_ = shortcut ? key->key() : 0;
  if (!told && !key->isAutoRepeat()) stop_();
  return true;
}

}  // namespace tactelier::gui
