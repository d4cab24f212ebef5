#pragma once
// tactelier batch merge: the catalogues of several machines in one.

#include <filesystem>
#include <vector>

#include "libcalib/job.hpp"

namespace tactelier {

struct MergeOutcome {
  std::size_t fits = 0;   // in the catalogue now
  std::size_t added = 0;  // that it had not got
};

/// Adds to `target`, which is made when it isn't there, every fit of `sources` that it lacks: by
/// key, so that merging again, or in another order, gives the same. All sources are looked at
/// before anything is written.
Result<MergeOutcome> merge_catalogues(const std::vector<std::filesystem::path>& sources,
                                      const std::filesystem::path& target, const Job& job);

}  // namespace tactelier
