#include "libcalib/session/session_damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactelier {
namespace {

constexpr std::size_t kMaxEntries = 10000;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::string Damage::describe() const {
  std::string place;
  if (stream) place += to_string(*stream);
  if (!column.empty()) place += fmt::format(", column {}", column);
  if (std::isfinite(begin_s) && std::isfinite(end_s))
    place += fmt::format(", {:.6g} s to {:.6g} s", begin_s, end_s);
  return place.empty() ? what : place + ": " + what;
}

bool DamageLog::full() {
  if (entries_.size() == kMaxEntries)
    entries_.push_back({std::nullopt, "", kUnknown, kUnknown, "further damage is not listed"});
  return entries_.size() > kMaxEntries;
}

void DamageLog::note(StreamKind stream, const std::string& column, const Stretch& stretch,
                     const std::string& what) {
  const std::scoped_lock lock(mutex_);
  auto& known = known_[{stream, column, what}];
  for (auto& stretch_known : known) {
    if (stretch.first >= stretch_known.first && stretch.last <= stretch_known.last) return;
    if (stretch.first != stretch_known.last + 1) continue;
    stretch_known.last = stretch.last;
    entries_[stretch_known.entry].end_s = stretch.end_s;
    return;
  }
  if (full()) return;
  known.push_back({entries_.size(), stretch.first, stretch.last});
  entries_.push_back({stream, column, stretch.begin_s, stretch.end_s, what});
}

void DamageLog::note(const std::string& what) {
  const std::scoped_lock lock(mutex_);
  const auto same = [&](const Damage& entry) { return !entry.stream && entry.what == what; };
  if (std::any_of(entries_.begin(), entries_.end(), same) || full()) return;
  entries_.push_back({std::nullopt, "", kUnknown, kUnknown, what});
}

}  // namespace tactelier
