#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "libcalib/import/guess/map_draft.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kFound = 0.5;       // pitches: the fit's registration finds smaller shifts
constexpr double kFits = 0.35;       // pitches r.m.s. that tactels may lie off their places
constexpr double kAsCounted = 0.2;   // pitches: the array's corner, or its first tactel
constexpr double kUnderLoad = 0.5;   // of the largest load
constexpr double kUnloaded = 0.1;    // of it
constexpr std::size_t kTactels = 3;  // that answer, at least
constexpr double kAnswers = 0.1;     // of the median tactel's largest rise
constexpr double kAgainst = -0.8;    // correlation of tactels and places that count the other way

/// One way across the array, in pitches from its middle.
struct WayAcross {
  std::string_view name;
  int cells = 0;
  double pitch_m = 0;
  std::vector<double> places = {};                 // by row of the table
  std::vector<double> tactels = {}, pressed = {};  // of each that answers: where it lies, and the
                                                   // middle of the places that it answers to
  std::vector<double> shifts = {};                 // between both

  /// Places count against the tactels, as rows of a picture do against y.
  bool against() const { return correlation(tactels, pressed) < kAgainst; }
  void find_shifts() {
    const double way = against() ? -1 : 1;
    for (std::size_t i = 0; i < tactels.size(); ++i)
      shifts.push_back(tactels[i] - way * pressed[i]);
  }
  double shift() const { return middle_of(shifts); }
  double left() const {
    double squares = 0;
    for (const double s : shifts) squares += (s - shift()) * (s - shift());
    return std::sqrt(squares / static_cast<double>(shifts.size()));
  }
  bool near(double shift_pitches) const {
    return std::abs(std::abs(shift()) - shift_pitches) < kAsCounted;
  }
  bool from_corner() const { return near(0.5 * cells); }
  bool from_first() const { return near(0.5 * (cells - 1)); }
};

/// How far each row's readings lie above rest, tactel by tactel.
std::vector<std::vector<double>> rises_of(const MapDraft& draft, const std::vector<double>& load,
                                          double highest) {
  const bool falling = draft.map["sensor"].value("falling", false);
  std::vector<std::vector<double>> rises(static_cast<std::size_t>(draft.tactels));
  for (std::size_t i = 0; i < draft.out.columns.size(); ++i) {
    const auto& target = draft.out.columns[i].target;
    if (!target.starts_with("tactel ")) continue;
    const auto number = parse_decimal(std::string_view(target).substr(7));
    if (!number || !(number->value() < draft.tactels)) continue;
    auto& rise = rises[static_cast<std::size_t>(number->value())];
    rise = draft.table.columns[i].values;
    if (falling)
      for (double& r : rise) r = -r;
    std::vector<double> unloaded;
    for (std::size_t row = 0; row < load.size(); ++row)
      if (load[row] <= kUnloaded * highest) unloaded.push_back(rise[row]);
    const double rest =
        unloaded.empty() ? *std::ranges::min_element(rise) : middle_of(std::move(unloaded));
    for (double& r : rise) r -= rest;
  }
  return rises;
}

/// Where each tactel lies against the places that it answers to. Each by itself, so that gains
/// don't matter; how far the array's edges pull them inwards goes away in the middle of all.
void find_shifts(const MapDraft& draft, std::array<WayAcross, 2>& axes) {
  const auto* column = draft.column_of(draft.load_target());
  const auto load =
      column != nullptr ? draft.pressing(*column) : std::vector<double>(draft.table.rows, 1.0);
  const double highest = *std::ranges::max_element(load);
  const auto rises = rises_of(draft, load, highest);
  std::vector<double> largest;
  for (const auto& rise : rises)
    largest.push_back(rise.empty() ? 0 : *std::ranges::max_element(rise));
  const double usual = middle_of(largest);
  for (std::size_t t = 0; t < rises.size(); ++t) {
    if (rises[t].empty() || !(largest[t] > kAnswers * usual)) continue;
    const std::array cell{t % static_cast<std::size_t>(axes[0].cells),
                          t / static_cast<std::size_t>(axes[0].cells)};
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].places.empty()) continue;
      double weight = 0, sum = 0;
      for (std::size_t row = 0; row < load.size(); ++row) {
        if (!(load[row] > kUnderLoad * highest && rises[t][row] > 0)) continue;
        const double w = std::pow(rises[t][row] / load[row], 2);
        weight += w;
        sum += w * axes[a].places[row];
      }
      if (!(weight > 0)) continue;
      axes[a].tactels.push_back(static_cast<double>(cell[a]) - 0.5 * (axes[a].cells - 1));
      axes[a].pressed.push_back(sum / weight);
    }
  }
  for (auto& axis : axes) axis.find_shifts();
}

/// Of a stated layout and pitch only.
std::optional<std::array<WayAcross, 2>> axes_of(const MapDraft& draft) {
  const auto sensor = draft.map.value("sensor", nlohmann::json());
  const bool stated =
      sensor.is_object() && !draft.answers.pitch.empty() && !draft.answers.layout.empty();
  if (!stated || draft.tactels < static_cast<int>(kTactels)) return std::nullopt;
  std::array axes{
      WayAcross{"x", sensor["columns"].get<int>(), mm_to_m(sensor["pitch_x_mm"].get<double>())},
      WayAcross{"y", sensor["rows"].get<int>(), mm_to_m(sensor["pitch_y_mm"].get<double>())}};
  for (auto& axis : axes) {
    const auto* column = draft.column_of(axis.name);
    // Across a single row nothing tells where it was pressed.
    if (column == nullptr || column->constant() || axis.cells < 2) continue;
    for (const double place : column->values)
      axis.places.push_back(place * draft.to_si(axis.name) / axis.pitch_m);
  }
  if (axes[0].places.empty() && axes[1].places.empty()) return std::nullopt;
  return axes;
}

std::string counted_from(const std::array<WayAcross, 2>& axes) {
  const auto all = [&](bool (WayAcross::*from)() const) {
    return std::ranges::all_of(
        axes, [&](const WayAcross& axis) { return axis.places.empty() || (axis.*from)(); });
  };
  if (all(&WayAcross::from_corner)) return "places count from the array's corner";
  if (all(&WayAcross::from_first)) return "places count from the first tactel";
  return "places count from elsewhere than the array's middle";
}

/// To whole halves of a pitch where they are counted so.
double shift_mm(const WayAcross& axis) {
  if (axis.places.empty()) return 0;
  double pitches = axis.shift();
  if (axis.from_corner())
    pitches = std::copysign(0.5 * axis.cells, pitches);
  else if (axis.from_first())
    pitches = std::copysign(0.5 * (axis.cells - 1), pitches);
  return std::round(1e4 * m_to_mm(pitches * axis.pitch_m)) / 1e4;
}

/// p_S = R(rz) M p_G + (x, y), M = diag(-1, 1) where it mirrors.
void turn(bool x, bool y, nlohmann::json& pose) {
  if (x != y) pose["mirror"] = true;
  if (y) pose["rz_deg"] = 180;
}

std::string turned_words(const std::array<WayAcross, 2>& axes) {
  if (axes[0].against() && axes[1].against()) return "x and y count against the tactels' numbers";
  return axes[1].against() ? "y counts against the tactels' numbers, as rows of a picture do"
                           : "x counts against the tactels' numbers";
}

}  // namespace

Result<void> guess_places(MapDraft& draft) {
  auto axes = axes_of(draft);
  if (!axes || draft.of_joints() || draft.of_friction() || draft.sled) return {};
  find_shifts(draft, *axes);
  bool shifted = false, turned = false;
  for (const auto& axis : *axes) {
    if (axis.places.empty()) continue;
    if (axis.shifts.size() < kTactels || axis.left() > kFits * std::max(1.0, 0.1 * axis.cells))
      return {};
    shifted = shifted || std::abs(axis.shift()) > kFound;
    turned = turned || axis.against();
  }
  if (!shifted && !turned) return {};
  auto& pose = draft.map["session"]["stage_to_sensor"];
  const double x_mm = shifted ? shift_mm((*axes)[0]) : 0, y_mm = shifted ? shift_mm((*axes)[1]) : 0;
  pose = {{"x_mm", x_mm}, {"y_mm", y_mm}};
  turn((*axes)[0].against(), (*axes)[1].against(), pose);
  std::vector<std::string> seen, done;
  if (turned) {
    seen.push_back(turned_words(*axes));
    done.emplace_back("turned");
  }
  if (shifted) {
    seen.push_back(counted_from(*axes));
    done.push_back(fmt::format("moved by ({:.4g}, {:.4g}) mm", x_mm, y_mm));
  }
  draft.understood(
      fmt::format("{}: {} they lie on the tactels that answer, and the map's "
                  "session.stage_to_sensor does so; take it out if they are right",
                  fmt::join(seen, ", and "), fmt::join(done, " and then ")));
  return {};
}

}  // namespace tactelier
