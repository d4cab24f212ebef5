#pragma once
// All that the program can say of parameters and reason codes, gathered from the tables beside the
// code that estimates and refuses: one row by path, one by code. A new stage: its own
// <stage>_facts.{hpp,cpp} and one line in facts.cpp.

#include <span>
#include <string>
#include <string_view>

#include "fitting/recording/stage_facts.hpp"

namespace tactelier {

/// One for each of stages(), in their order; nullptr for an unknown stage.
std::span<const StageFacts* const> stage_facts();
const StageFacts* facts_of_stage(std::string_view stage);

/// The stages' tables, then those that several stages share.
std::span<const FactTable* const> fact_tables();

/// By path, "response.tactels[3].press_gain" or "response.tactels[].press_gain"; nullptr for
/// unknown ones.
const ParameterFact* fact_of(std::string_view path);
/// The group that a parameter belongs to: "friction.contact"; nullptr for unknown ones.
const GroupFact* group_of(std::string_view path);
/// "response.tactels[3].gain" -> "response.tactels[].gain"
std::string without_indices(std::string_view path);

/// The protocols of the experiment design, P0 to P12.
std::span<const ProtocolFact> protocol_facts();
/// "a flat plate larger than the array, seven loads"; "" for unknown ones.
std::string_view protocol_words(std::string_view protocol);

/// The row of a code for one parameter: that whose path fits best. nullptr for unknown codes.
const CodeFact* fact_of_code(std::string_view code, std::string_view path = {});

/// From a refusal to data: what a reason asks for, and what records it.
struct Advice {
  std::string code;      // "RS-06"; "" when the reason has none
  std::string words;     // the reason without its code
  std::string cause;     // a few words: "no unloading branch"
  std::string meaning;   // sentences; "" for an unknown code
  std::string remedy;    // what to do
  std::string protocol;  // "P2"; "" when no recording would help
  std::string device;    // what the rig lacks; "" when that isn't it

  /// "add P2: no unloading branch"; the cause alone without a protocol.
  std::string action() const;
};
/// `path` is the parameter's, "stiffness.k": the same code may ask for different recordings.
Advice advice_for(std::string_view reason, std::string_view path);

}  // namespace tactelier
