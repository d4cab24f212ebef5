#pragma once
// Stage "time": puts every stream on the host's clock and takes out what the tactile stream and the
// stage lag behind force (docs/theory/clocks.md).

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Fills context.clocks, model.clock (the first session's streams with clocks of their own) and
/// timing.latency_s. Which clocks could not be placed stands in context.clocks and is met by
/// whoever reads that stream.
Result<void> run_time(FitContext& context);

}  // namespace tactelier
