#include "fitting/recording/virtual_encoder.hpp"

namespace tactelier {

std::vector<double> virtual_encoder_m(const CommandedPath& path, std::size_t axis,
                                      const AxisDrive& drive, std::span<const double> times_s) {
  const auto& lines = path.lines();
  if (lines.empty()) return {};
  Screw screw(drive, lines.front().motion.from_m()[axis]);
  std::vector<double> places_m;
  places_m.reserve(times_s.size());
  std::size_t at = 0;  // the line under way
  for (const double time_s : times_s) {
    const double told_s = time_s - drive.delay_s;
    for (; at + 1 < lines.size() && lines[at + 1].begin_s <= told_s; ++at) {
      screw.command(lines[at].place_m(lines[at].end_s)[axis]);
      screw.command(lines[at + 1].motion.from_m()[axis]);
    }
    screw.command(lines[at].place_m(told_s)[axis]);
    places_m.push_back(screw.place_m());
  }
  return places_m;
}

}  // namespace tactelier
