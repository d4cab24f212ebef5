#pragma once
// Which indenter pressed, and which of several is the calibration indenter: the one that
// press_gain, press_threshold and k_punch belong to. The same whatever the order of sessions.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// The press's own, else its session's.
const std::optional<Indenter>& indenter_of(const FitSession& session, const Press& press);
/// "cylinder 1 mm"; "" when nobody states it.
std::string indenter_name(const FitSession& session, const Press& press);

struct IndenterUse {
  std::string name;
  std::optional<Indenter> indenter;
  std::size_t tactels = 0;  // pressed on
  std::size_t presses = 0;

  std::string describe() const;  // "cylinder 1 mm (6 tactels, 30 presses)"
};

/// Indenters of the presses that `counts` lets through: most tactels first, then most presses, then
/// by name.
std::vector<IndenterUse> indenters_used(
    const FitContext& context,
    const std::function<bool(const FitSession& session, const Press& press)>& counts);

/// The candidates for the calibration indenter, best first: those of slow presses on tactels that
/// the contact stage did not refuse, with readings; where there are none the rules are dropped one
/// by one.
std::vector<IndenterUse> calibration_candidates(const FitContext& context);

/// As model.response names it, else the best candidate's; "" when nobody states one.
std::string calibration_indenter(const FitContext& context);

/// Speaks of quasi-static behaviour: not `speed`, `chirp`, `hold`, `cycle`, `area`.
bool is_slow(const Press& press);

}  // namespace tactelier
