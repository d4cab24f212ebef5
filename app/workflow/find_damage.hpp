#pragma once
// What of a recording is whole: every chunk decoded and checked, once, for `info`, the Library and
// whoever opens it.

#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {

struct DamageReport {
  std::vector<Damage> damage;  // each once
  int presses = 0;
  std::vector<int> hurt;  // numbers of presses with damage between their begin and end

  bool whole() const { return damage.empty(); }
  int presses_whole() const { return presses - static_cast<int>(hurt.size()); }
};

/// Takes as long as reading the file. Fails with kCancelled.
Result<DamageReport> find_damage(const Session& session, const Job& job);
/// What the reads so far have met.
DamageReport damage_so_far(const Session& session);

}  // namespace tactelier
