#include "libcalib/import/keep_import.hpp"

#include <utility>

#include "libcalib/session/compaction.hpp"

namespace tactelier {

Result<void> keep_import(SessionWriter writer, PartialPath& partial, const Job& job) {
  {
    SessionWriter closing = std::move(writer);  // holds the file as long as it lives
    if (auto finished = closing.finish(); !finished) return finished;
  }
  if (auto compacted = compact(partial.path(), job); !compacted) return fail(compacted.error());
  return partial.keep();
}

}  // namespace tactelier
