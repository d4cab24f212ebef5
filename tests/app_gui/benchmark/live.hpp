#pragma once
// The Session page while a rig records at full rate.

namespace tactelier::gui {
class MainWindow;
class RigLink;
}  // namespace tactelier::gui

namespace tactelier::gui::benchmark {

/// Prints pictures of the map per second, the share of a core that they take, and from a click on
/// STOP to its bytes at the rig process while they are drawn.
void measureLive(MainWindow& window, RigLink& rig, int seconds, int stops);

}  // namespace tactelier::gui::benchmark
