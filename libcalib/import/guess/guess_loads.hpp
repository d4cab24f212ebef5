#pragma once
// Loads that no column holds: weights put on one after the other, one that was moved about, what
// lies on a sled. Asked for where nobody said them. Each fails with kUsage on an answer that makes
// no sense.

#include "libcalib/import/guess/map_draft.hpp"

namespace tactelier {

/// No force in the table: where readings stand still, a weight may lie.
Result<void> find_weights(MapDraft& draft);

/// Friction without a column of the load.
Result<void> take_sliding_load(MapDraft& draft);

/// Readings at rest at places of an array, under one weight that was moved about.
Result<void> take_moved_load(MapDraft& draft);

}  // namespace tactelier
