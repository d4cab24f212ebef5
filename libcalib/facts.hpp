#pragma once
// What is known beforehand of parameters and of reason codes: what they are called, what they mean,
// what to do. Who estimates a parameter or raises a code keeps the row, in a table beside the code
// that does it (fitting/<stage>/<stage>_facts.cpp); fitting/engine/facts.hpp finds a row by path or
// code. Window, command line, reports and docs/codes.md say what stands here and nothing else.

#include <span>
#include <string_view>

namespace tactelier {

/// One parameter of a sensor model.
struct ParameterFact {
  std::string_view path;      // "response.tactels[].press_gain"; '*' for a name: "clock.*.offset"
  std::string_view symbol;    // "F_t"; "" where the field has none
  std::string_view label;     // "threshold"
  std::string_view unit;      // as in the model file
  std::string_view meaning;   // one sentence
  std::string_view protocol;  // whose recording determines it, "P2"; "" when none does
  bool purpose = false;       // the stage is run for it; what comes along is no purpose
};
constexpr bool kPurpose = true;

/// Parameters that people look for together.
struct GroupFact {
  std::string_view path;  // they begin with it and a dot: "friction.contact"
  std::string_view label;
  bool of_recording = false;  // describes rig and clocks, not the sensor
};
constexpr bool kOfRecording = true;

/// What supplies the thing that a refusal lacks. All empty: a warning, which refuses nothing.
struct Help {
  std::string_view protocol;  // "P4"
  std::string_view device;    // "a stage that reports its position 1000 times a second"
  bool own_protocol = false;  // more of what the parameter itself is recorded by
  bool none = false;          // said on purpose: no recording and no device supplies it

  constexpr bool stated() const {
    return !protocol.empty() || !device.empty() || own_protocol || none;
  }
};
constexpr Help recording(std::string_view protocol, std::string_view device = {}) {
  return {protocol, device, false, false};
}
constexpr Help device(std::string_view name) { return {{}, name, false, false}; }
constexpr Help kOwnProtocol{{}, {}, true, false};
constexpr Help kNoRecording{{}, {}, false, true};

/// A reason code, of a refusal or of a warning.
struct CodeFact {
  std::string_view code;     // "RS-06"
  std::string_view cause;    // a few words, for a table's cell: "no unloading branch"
  std::string_view meaning;  // one or two sentences
  std::string_view remedy;   // what to do, in the imperative
  Help help{};
  std::string_view path{};  // of parameters whose path begins with it; "" for all others
};

struct FactTable {
  std::span<const ParameterFact> parameters{};
  std::span<const GroupFact> groups{};
  std::span<const CodeFact> codes{};
};

/// A protocol of the experiment design.
struct ProtocolFact {
  std::string_view id;    // "P4"
  std::string_view what;  // "a flat plate larger than the array, seven loads"
};

}  // namespace tactelier
