#pragma once
// Threads that a rig's safety hangs on run before everything else, where the system allows it.

namespace tactelier::devices {

/// Asks for round-robin real-time scheduling of the calling thread, `priority` 1 .. 99. False when
/// the system refuses (it needs CAP_SYS_NICE or an rtprio limit): everything works all the same, a
/// loaded computer reacts later.
bool make_real_time(int priority);

}  // namespace tactelier::devices
