#pragma once
// What the steps of a protocol take, as forms show it: read from data/schemas/protocol.schema.json,
// which says what each key means and may be.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactelier::gui {

struct StepField {
  enum class Kind {
    kNumber,
    kInteger,
    kNumbers,  // one number or a list
    kChoice,   // one of `choices`
    kFlag,     // there, or not
    kText,
    kJson,  // anything else: sites, areas, indenters, steps
  };

  std::string key;    // "speed_mm_s"; inside an object "until.force_N"
  std::string label;  // "Speed"
  std::string unit;   // as the file has it: "mm/s", "N", "deg"; "" for none
  std::string words;  // what it means
  Kind kind = Kind::kJson;
  bool required = false;
  std::vector<std::string> choices;
};

/// What `do` may be, in the schema's order.
std::vector<std::string> step_names();
/// "Ramps, tactel by tactel"; "" for a name that no step has.
std::string step_description(std::string_view name);
/// In the schema's order, `do` and `note` apart; what an `until` may hold at the end. Empty for a
/// name that no step has.
std::vector<StepField> step_fields(std::string_view name);

/// The first step of this kind in the shipped protocols, P0 to P12 before the others: as JSON, to
/// begin with. Nothing where none of them has one.
std::optional<std::string> example_step(std::string_view name);

}  // namespace tactelier::gui
