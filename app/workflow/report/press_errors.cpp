#include "app/workflow/report/press_errors.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/workflow/apply_model.hpp"

namespace tactelier {
namespace {

struct Tally {
  PressErrors errors;
  std::vector<double> sizes_N;
  double squares = 0;
  int covered = 0;
  std::set<int> presses;
};

void add(const TactelLine& line, const ResponseTrace& trace, Tally& tally) {
  for (std::size_t i = 0; i < trace.loading_N.size(); ++i) {
    const auto read = line.apply(trace.loading_counts[i]);
    if (read.flag != ReadingFlag::kOk || !read.force_N) continue;
    const double force_N = trace.loading_N[i];
    const double error_N = *read.force_N - force_N;
    const bool first = tally.sizes_N.empty();
    tally.errors.low_N = first ? force_N : std::min(tally.errors.low_N, force_N);
    tally.errors.high_N = first ? force_N : std::max(tally.errors.high_N, force_N);
    tally.sizes_N.push_back(std::abs(error_N));
    tally.squares += error_N * error_N;
    tally.covered += read.u95_N && std::abs(error_N) <= *read.u95_N ? 1 : 0;
    tally.presses.insert(trace.press);
  }
}

}  // namespace

std::optional<PressErrors> press_errors(const SensorModel& model,
                                        std::span<const ResponseCurve> curves,
                                        std::size_t session, const std::string& name, bool seen) {
  Tally tally;
  for (const auto& curve : curves) {
    const TactelLine line(model, static_cast<std::size_t>(curve.tactel));
    if (!line.why().empty()) continue;
    for (const auto& trace : curve.traces)
      if (trace.session == session && trace.used) add(line, trace, tally);
  }
  if (tally.sizes_N.empty()) return std::nullopt;
  const auto count = tally.sizes_N.size();
  std::sort(tally.sizes_N.begin(), tally.sizes_N.end());
  auto& errors = tally.errors;
  errors.session = name;
  errors.seen = seen;
  errors.presses = static_cast<int>(tally.presses.size());
  errors.readings = static_cast<int>(count);
  errors.rms_N = std::sqrt(tally.squares / static_cast<double>(count));
  errors.p95_N = tally.sizes_N[std::min(count - 1, 95 * count / 100)];
  errors.covered = static_cast<double>(tally.covered) / static_cast<double>(count);
  return errors;
}

}  // namespace tactelier
