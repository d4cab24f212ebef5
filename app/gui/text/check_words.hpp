#pragma once
// What checking a recording found, in words.

#include "app/gui/text/message.hpp"
#include "app/workflow/find_damage.hpp"
#include "app/workflow/session_info.hpp"

namespace tactelier::gui {

/// "Every checksum holds: 3 streams, 4200 samples, 3 presses." or where it doesn't.
QString checkWords(const SessionReport& report);

/// What happened, what is safe, what to do; about `path`. For a damaged recording.
Message damageMessage(const QString& name, const DamageReport& check, const QString& path);

}  // namespace tactelier::gui
