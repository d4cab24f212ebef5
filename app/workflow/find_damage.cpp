#include "app/workflow/find_damage.hpp"

#include <algorithm>

namespace tactelier {
namespace {

/// Damage without a known time may lie anywhere.
bool touches(const Damage& damage, const Press& press) {
  return !(damage.end_s < press.begin_s) && !(damage.begin_s > press.end_s);
}

}  // namespace

DamageReport damage_so_far(const Session& session) {
  DamageReport report;
  // A scan of every column and a look at one may meet the same chunk.
  for (const auto& damage : session.damage())
    if (std::none_of(report.damage.begin(), report.damage.end(),
                     [&](const Damage& d) { return d.describe() == damage.describe(); }))
      report.damage.push_back(damage);
  const auto all = presses(session.events(), session.edits(), session.metadata());
  if (!all) return report;  // whoever lists presses says why
  report.presses = static_cast<int>(all->size());
  for (const auto& press : *all)
    if (std::any_of(report.damage.begin(), report.damage.end(),
                    [&](const Damage& damage) { return touches(damage, press); }))
      report.hurt.push_back(press.number);
  return report;
}

Result<DamageReport> find_damage(const Session& session, const Job& job) {
  if (const auto checked = session.check(job); !checked) return fail(checked.error());
  return damage_so_far(session);
}

}  // namespace tactelier
