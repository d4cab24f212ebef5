#pragma once
// What the safety bar shows of the rig process that is connected, and the words for it.

#include <QString>

#include "app/gui/state/mode.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::gui {

class RigLink;

RigSnapshot snapshotOf(const RigLink& rig);

/// What a task does while it runs.
QString taskWords(rig::messages::TaskKind task);

/// Size of the file, how long ago its rows were safe, what the disk has left; "" without a
/// recording.
QString recordingWords(const rig::messages::Status& status, double saved_s);

}  // namespace tactelier::gui
