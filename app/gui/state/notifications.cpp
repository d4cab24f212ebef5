#include "app/gui/state/notifications.hpp"

namespace tactelier::gui {

void Notifications::failed(const Error& error, const QString& safe, const QString& todo) {
  if (error.code == ErrorCode::kCancelled) return status(tr("Cancelled. %1").arg(safe));
  notify(Message::Level::kBad, text(error.message), safe, todo);
}

}  // namespace tactelier::gui
