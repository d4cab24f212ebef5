#pragma once
// From presses to contact points as a fit finds them, for looking at a few presses without fitting.

#include "fitting/stage.hpp"

namespace tactelier {

/// What the stage "time" finds in a session, over all of its presses.
Result<SessionClocks> session_clocks(const FitSession& session, const Job& job);

/// Runs the stages up to "contact" on the context's presses; `time` is done, its clocks are there.
Result<void> find_contacts(FitContext& context);

}  // namespace tactelier
