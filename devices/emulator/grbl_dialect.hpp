#pragma once
// How the firmwares differ when they are told to stop. Read in their sources, each rule with its
// place; tried on grblHAL's and Grbl's own code where docs/devices.md says so.
//
//                                    Grbl 1.1            grblHAL             FluidNC
//   "!" in Jog                       cancels the jog     does nothing        cancels the jog
//   0x85                             cancels, in Jog     empties the buffer, cancels, in Jog
//                                                        cancels, in Jog
//   a line not yet read, then 0x85   runs afterwards     gone, no answer     runs afterwards
//   a line in the parser, in Jog     runs afterwards     cancelled with it   cancelled with it
//   a line in the parser, in Idle    "!" holds it back   "!" holds it back   runs, "!" is lost
//   "!" in Idle                      Hold:0              Hold:0              Hold:0
//   "!" in Run (G-code)              Hold:1, Hold:0      Hold:1, Hold:0      Hold:1, Hold:0
//   "!", 0x85 in Home, Alarm         nothing             nothing             nothing
//   state while a jog is cancelled   Jog, then Idle      Jog, then Idle      Jog, then Idle

#include "devices/grbl/grbl_protocol.hpp"

namespace tactelier::devices {

struct StopRules {
  /// "!" in state Jog is a jog cancel. Grbl: protocol.c, protocol_exec_rt_system(),
  /// SUSPEND_JOG_CANCEL upon any hold event. FluidNC: Protocol.cpp, protocol_do_feedhold(), case
  /// State::Jog. grblHAL ignores it: state_machine.c, state_set(), case STATE_HOLD.
  bool hold_cancels_jog = true;
  /// 0x85 throws away what was received and not read, in any state, and leaves a mark in its place;
  /// the jog is cancelled when the main loop reads that. grblHAL: protocol.c,
  /// protocol_enqueue_realtime_command(), case CMD_JOG_CANCEL, and protocol_main_loop(), ASCII_CAN.
  /// The others look at the state when the byte comes: Grbl serial.c, ISR(SERIAL_RX); FluidNC
  /// RealtimeCmd.cpp, execute_realtime_command().
  bool cancel_empties_buffer = false;
  /// Between a line's arithmetic and its planning a stop is looked for: the line then waits there
  /// until the stop is over, and is planned to the end it was given before. Grbl and grblHAL:
  /// motion_control.c, mc_line(), protocol_execute_realtime(); gnea/grbl issue 95. FluidNC looks
  /// only when its planner is full (MotionControl.cpp, mc_move_motors()), and its cycle start,
  /// queued behind the hold, resumes at once (Protocol.cpp, protocol_auto_cycle_start(),
  /// protocol_do_cycle_start(), case State::Hold).
  bool looks_before_planning = true;
};

constexpr StopRules stop_rules(GrblDialect dialect) {
  if (dialect == GrblDialect::kGrblHal) return {false, true, true};
  if (dialect == GrblDialect::kFluidNc) return {true, false, false};
  return {};
}

}  // namespace tactelier::devices
