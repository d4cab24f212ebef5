#include "libcalib/import/keep_import.hpp"

#include <utility>

#include "libcalib/session/compaction.hpp"

namespace tactelier {

Result<Warnings> keep_import(SessionWriter writer, PartialPath& partial, const Job& job) {
  {
    SessionWriter closing = std::move(writer);  // holds the file as long as it lives
    if (auto finished = closing.finish(); !finished) return fail(finished.error());
  }
  auto warnings = compact_if_room(partial.path(), job);
  if (!warnings) return warnings;
  if (auto kept = partial.keep(); !kept) return fail(kept.error());
  return warnings;
}

}  // namespace tactelier
