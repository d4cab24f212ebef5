#pragma once
// From presses to contact points as a fit finds them, for looking at presses without fitting.

#include "fitting/engine/stage.hpp"

namespace tactelier {

/// What the stage "time" finds in a session, over all of its presses.
Result<SessionClocks> session_clocks(const FitSession& session, const Job& job);

/// Runs the stages up to "contact" on the context's presses; `time` is done, its clocks are there.
Result<void> find_contacts(FitContext& context);

/// For looking at recordings as a fit of them would; `model`: what it found.
FitContext plain_context(std::vector<FitSession> sessions, std::vector<SessionClocks> clocks,
                         const SensorModel& model, const Job& job);
/// The same with contacts found, for a stage to load its data with. Fails with kUnidentifiable
/// without a session.
Result<FitContext> looking_context(std::vector<FitSession> sessions,
                                   std::vector<SessionClocks> clocks, const SensorModel& model,
                                   const Job& job);

}  // namespace tactelier
