#include "libcalib/import/event_spans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "libcalib/import/cycle_finder.hpp"
#include "libcalib/import/press_finder.hpp"
#include "libcalib/import/unloaded_level.hpp"
#include "libcalib/session/decimal.hpp"

namespace tactelier {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Mean {
  double sum = 0;
  std::size_t rows = 0;
  void add(double value) {
    if (std::isnan(value)) return;
    sum += value;
    ++rows;
  }
  double value() const { return rows > 0 ? sum / static_cast<double>(rows) : kNaN; }
};

/// What the rows of one event have in common.
class Summary {
 public:
  void add(const TracedRow& row) {
    if (!any_) first_ = row;
    any_ = true;
    last_ = row;
    force_.add(row.force_N);
    z_.add(row.z_m);
  }

  FoundEvent event(double begin_s, double end_s) const {
    const double span_s = last_.t_s - first_.t_s;
    const auto speed = [&](double from_m, double to_m) {
      return span_s > 0 ? (to_m - from_m) / span_s : kNaN;
    };
    return {begin_s,
            end_s,
            first_.event,
            first_.x_m,
            first_.y_m,
            force_.value(),
            z_.value(),
            speed(first_.x_m, last_.x_m),
            speed(first_.y_m, last_.y_m)};
  }

 private:
  bool any_ = false;
  TracedRow first_, last_;
  Mean force_, z_;
};

class RowSpans : public SpanFinder {
 public:
  void add(const TracedRow& row) override {
    if (rows_ == 0) first_s_ = row.t_s;
    if (rows_ > 0) last_step_s_ = row.t_s - last_s_;
    if (rows_ == 1) first_step_s_ = last_step_s_;
    const double boundary_s = (last_s_ + row.t_s) / 2;
    if (row.event != open_) {
      close(boundary_s);
      open_ = row.event;
      begin_s_ = boundary_s;
      from_start_ = rows_ == 0;
      summary_ = {};
    }
    if (open_ != kMissing) summary_.add(row);
    last_s_ = row.t_s;
    ++rows_;
  }

  std::vector<FoundEvent> finish(Warnings&, const std::string&) override {
    close(last_s_ + last_step_s_ / 2);
    return std::move(found_);
  }

 private:
  void close(double end_s) {
    if (open_ == kMissing) return;
    found_.push_back(summary_.event(begin_s_, end_s));
    if (from_start_) found_.back().begin_s = first_s_ - first_step_s_ / 2;
    open_ = kMissing;
  }

  std::int64_t open_ = kMissing;
  bool from_start_ = false;
  double begin_s_ = 0;
  double first_s_ = 0, last_s_ = 0;
  double first_step_s_ = 1, last_step_s_ = 1;
  std::size_t rows_ = 0;
  Summary summary_;
  std::vector<FoundEvent> found_;
};

/// Presses by the force, in each span by itself: the baseline is that of its own start.
class ThresholdSpans : public SpanFinder {
 public:
  explicit ThresholdSpans(double threshold_N) : threshold_N_(threshold_N) {}

  void add(const TracedRow& row) override {
    if (row.event != open_) settle();
    open_ = row.event;
    if (open_ != kMissing) {
      if (!finder_) finder_ = std::make_unique<ThresholdPresses>(threshold_N_);
      finder_->add(row);
    }
  }

  std::vector<FoundEvent> finish(Warnings& warnings, const std::string& table) override {
    settle();
    if (found_.empty())
      warnings.push_back(
          {"no-press",
           fmt::format(
               "no press found: the force rises by {:.3g} N at most, the threshold is {:.3g} N",
               largest_N_, threshold_N_),
           table});
    if (ended_in_contact_)
      warnings.push_back({"open-press", "the table ends while the indenter still presses", table});
    return std::move(found_);
  }

 private:
  void settle() {
    if (!finder_) return;
    for (auto& press : finder_->finish()) {
      press.event = open_;
      found_.push_back(press);
    }
    largest_N_ = std::max(largest_N_, finder_->largest_N());
    ended_in_contact_ = ended_in_contact_ || finder_->ended_in_contact();
    finder_.reset();
  }

  double threshold_N_;
  std::int64_t open_ = kMissing;
  std::unique_ptr<ThresholdPresses> finder_;
  double largest_N_ = 0;
  bool ended_in_contact_ = false;
  std::vector<FoundEvent> found_;
};

/// Plateaus, holds, slides and cycles: keeps the rows, since a level is known by what comes after
/// it.
class LevelSpans : public SpanFinder {
 public:
  explicit LevelSpans(const EventRule& rule) : rule_(rule) {}

  void add(const TracedRow& row) override {
    if (!rows_.empty() && row.event != rows_.back().event) settle();
    if (row.event != kMissing && row.measured) rows_.push_back(row);
  }

  std::vector<FoundEvent> finish(Warnings& warnings, const std::string& table) override {
    settle();
    if (found_.empty())
      warnings.push_back({"nothing-found",
                          fmt::format("{}: nothing found; name the rows by 'rows' or a column by "
                                      "'where', or widen within_percent ({:.3g}) or least_s",
                                      rule_.where_in_map, 100 * rule_.level.within),
                          table});
    return std::move(found_);
  }

 private:
  using Signal = double TracedRow::*;

  bool known(Signal signal) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [signal](const TracedRow& row) { return !std::isnan(row.*signal); });
  }
  std::vector<double> values(Signal signal) const {
    std::vector<double> all;
    for (const auto& row : rows_) all.push_back(row.*signal);
    return all;
  }

  /// What a level is a level of: a plateau of the load, a hold of whatever was held.
  Signal level_signal() const {
    if (known(&TracedRow::force_N)) return &TracedRow::force_N;
    return known(&TracedRow::z_m) ? &TracedRow::z_m : &TracedRow::reading;
  }

  std::vector<LevelRows> levels_of(Signal signal) const {
    const auto times = values(&TracedRow::t_s);
    auto rule = rule_.level;
    rule.held = rule_.find == EventRule::Find::kHolds;
    return find_levels(times, values(signal), rule);
  }

  std::vector<LevelRows> cycles() const {
    auto load = values(level_signal());
    if (!known(&TracedRow::force_N)) load = rising_from_start(std::move(load));
    return find_cycles(load, rule_.level.within);
  }

  static double height(const std::vector<double>& signal, const LevelRows& level) {
    return signal[(level.first + level.last) / 2];
  }

  double seconds(const std::vector<LevelRows>& levels) const {
    double total_s = 0;
    for (const auto& level : levels) total_s += rows_[level.last].t_s - rows_[level.first].t_s;
    return total_s;
  }

  /// Levels in contact: away from the one where the indenter rests in the air. What was held
  /// stands still the longer, the force or the depth; where both do, moves less meanwhile.
  std::vector<LevelRows> holds() {
    auto held = in_contact(levels_of(level_signal()));
    by_depth_ = false;
    if (known(&TracedRow::z_m)) {
      auto depths = in_contact(levels_of(&TracedRow::z_m));
      const double longer = seconds(depths) / seconds(held);
      by_depth_ = longer > 1.1 ||
                  (longer > 0.9 && drift(&TracedRow::z_m, depths) < drift(level_signal(), held));
      if (by_depth_) return depths;
    }
    const auto load = values(level_signal());
    for (auto& level : held) level = without_ramps(load, level);
    return held;
  }

  /// From the second to the last tenth of the first level, as a share of the signal's range.
  double drift(Signal signal, const std::vector<LevelRows>& levels) const {
    if (levels.empty()) return 0;
    const auto all = values(signal);
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const auto& level = levels.front();
    const std::size_t tenth = (level.last - level.first) / 10;
    double moved = 0;
    for (std::size_t i = 0; i < tenth; ++i)
      moved += all[level.last - i] - all[level.first + tenth + i];
    return tenth == 0 ? 0 : std::abs(moved) / static_cast<double>(tenth) / (*high - *low);
  }

  /// The last of a load's way to its level lies within the level's tolerance, too: what creeps
  /// there is the ramp. At most a tenth of the level goes at either end.
  static LevelRows without_ramps(const std::vector<double>& load, LevelRows level) {
    std::vector<double> held(load.begin() + static_cast<std::ptrdiff_t>(level.first),
                             load.begin() + static_cast<std::ptrdiff_t>(level.last) + 1);
    const double near = 4 * noise_of(held);
    const auto middle = held.begin() + static_cast<std::ptrdiff_t>(held.size() / 2);
    std::nth_element(held.begin(), middle, held.end());
    const std::size_t most = held.size() / 10;
    const auto off = [&](std::size_t row) { return !(std::abs(load[row] - *middle) <= near); };
    for (std::size_t cut = 0; cut < most && off(level.first); ++cut) ++level.first;
    for (std::size_t cut = 0; cut < most && off(level.last); ++cut) --level.last;
    return level;
  }

  std::vector<LevelRows> in_contact(std::vector<LevelRows> held) const {
    const auto load = values(known(&TracedRow::force_N) ? &TracedRow::force_N : level_signal());
    if (load.empty()) return held;
    const auto high = std::max_element(load.begin(), load.end());
    const double air = unloaded_level(load);  // a tip that sticks pulls below it
    const double contact = air + 0.1 * (*high - air);
    std::erase_if(held, [&](const LevelRows& level) { return height(load, level) < contact; });
    return held;
  }

  /// Between the rests of the stage's x and y.
  std::vector<LevelRows> slides() const {
    std::vector<double> path(rows_.size(), 0);
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const double dx_m = rows_[i].x_m - rows_[i - 1].x_m;
      const double dy_m = rows_[i].y_m - rows_[i - 1].y_m;
      path[i] = path[i - 1] + (std::isnan(dx_m) ? 0 : dx_m) + (std::isnan(dy_m) ? 0 : dy_m);
    }
    return monotone_stretches(path);
  }

  /// Stretches in one direction that cover a tenth of the whole range or more.
  std::vector<LevelRows> monotone_stretches(const std::vector<double>& path) const {
    std::vector<LevelRows> found;
    if (path.empty()) return found;
    const auto [low, high] = std::minmax_element(path.begin(), path.end());
    const double range = *high - *low;
    const double still = std::max(rule_.level.within * range, 4 * noise_of(path));
    std::size_t turn = 0, extreme = 0;
    int direction = 0;
    const auto close = [&](std::size_t last) {
      if (std::abs(path[last] - path[turn]) >= std::max(0.1 * range, 2 * still))
        found.push_back(without_rests(path, turn, last, still));
      turn = last;
    };
    for (std::size_t i = 1; i < path.size(); ++i) {
      const double ahead = direction * (path[i] - path[extreme]);
      if (direction == 0 && std::abs(path[i] - path[0]) > still)
        direction = path[i] > path[0] ? 1 : -1;
      if (direction == 0 || ahead >= 0) {
        if (direction != 0) extreme = i;
      } else if (-ahead > still) {
        close(extreme);
        direction = -direction;
        extreme = i;
      }
    }
    if (direction != 0) close(extreme);
    return found;
  }

  static LevelRows without_rests(const std::vector<double>& path, std::size_t first,
                                 std::size_t last, double still) {
    const double from = path[first], to = path[last];
    while (first < last && std::abs(path[first] - from) <= still) ++first;
    while (last > first && std::abs(path[last] - to) <= still) --last;
    return {first, last};
  }

  void settle() {
    if (rows_.empty()) return;
    const auto levels = rule_.find == EventRule::Find::kSlides   ? slides()
                        : rule_.find == EventRule::Find::kHolds  ? holds()
                        : rule_.find == EventRule::Find::kCycles ? cycles()
                                                                 : levels_of(level_signal());
    for (const auto& level : levels) {
      Summary summary;
      for (auto row = level.first; row <= level.last; ++row) summary.add(rows_[row]);
      found_.push_back(summary.event(rows_[level.first].t_s, rows_[level.last].t_s));
      if (by_depth_) found_.back().mean_force_N = kNaN;  // it went as it would
    }
    rows_.clear();
  }

  const EventRule& rule_;
  bool by_depth_ = false;  // holds of a depth
  std::vector<TracedRow> rows_;
  std::vector<FoundEvent> found_;
};

}  // namespace

std::unique_ptr<SpanFinder> span_finder(const EventRule& rule) {
  if (rule.find == EventRule::Find::kPresses)
    return std::make_unique<ThresholdSpans>(rule.threshold_N);
  if (rule.detects()) return std::make_unique<LevelSpans>(rule);
  return std::make_unique<RowSpans>();
}

}  // namespace tactelier
