#pragma once
// An identified number is never a bare number: it has a unit, an uncertainty and a status that says
// whether the data determine it (docs/theory/conventions.md 5). There are no silent defaults.

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tactelier {

enum class Status {
  kIdentified,      // estimated, and the data determine it
  kAssumed,         // from the description or the user, never by the program on its own
  kPredicted,       // a tactel that was not pressed, from the array fit
  kNotSeen,         // looked for and not there: value 0, ci95 and u_total reach to what could hide
  kUnidentifiable,  // value is empty; reason says what to record instead
};

struct Parameter {
  std::optional<double> value;  // in `unit`; empty iff unidentifiable
  std::string unit;             // SI: "N/m", "N/count", "counts", "" for a ratio
  std::optional<double> std;    // statistical standard error, serial correlation included
  std::optional<std::array<double, 2>> ci95{};  // 95 % interval from repetition
  std::optional<double> u_total;                // expanded (95 %) with what repetition can't show
  Status status = Status::kUnidentifiable;
  std::string reason;  // unidentifiable: code and words, "PS-03 Presses lie on ..."
  std::string from;    // stage, or who assumed it

  bool identified() const { return status == Status::kIdentified && value.has_value(); }
  /// The data say it, be it that there is none.
  bool determined() const { return identified() || status == Status::kNotSeen; }
  /// Has a number that an exporter may write.
  bool usable() const { return value.has_value(); }
  bool operator==(const Parameter&) const = default;
};

/// `reason` begins with its code: "RS-01 Tactel 3 stayed at its offset ...".
Parameter unidentifiable(std::string unit, std::string reason, std::string from = {});
Parameter assumed(double value, std::string unit, std::string from);

std::string_view to_string(Status status);
std::optional<Status> status_from(std::string_view text);

}  // namespace tactelier
