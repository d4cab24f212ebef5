#include "fitting/psf/psf_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBlocks = 32;         // rows that stay of one press
constexpr double kHighestSoFar = 6;         // sigma of force below its maximum that still load
constexpr double kPeakShare = 0.005;        // the same in shares of the peak
constexpr double kClear = 5;                // sigma above the offset that count as an answer
constexpr double kNear = 2.2;               // pitches: tactels whose silence tells something
constexpr double kCeilingBand = 4;          // sigma below the ceiling that count as there
constexpr std::size_t kLeastBefore = 20;    // readings of free air that give a press its own offset
constexpr double kAtFloor = 0.2;            // share of free air at the floor that means it is cut
constexpr std::size_t kLeastAnswering = 8;  // rows, for a tactel to be fitted

struct Block {
  double n = 0, force = 0, force2 = 0, counts = 0;
  double lowest = 1e300, highest = -1e300;

  void add(double force_N, double reading) {
    ++n;
    force += force_N;
    force2 += force_N * force_N;
    counts += reading;
    lowest = std::min(lowest, reading);
    highest = std::max(highest, reading);
  }
  double mean_force_N() const { return force / n; }
  /// Half-width of evenly spread forces with this spread, noise taken off.
  double half_range_N(double sigma_N) const {
    return std::sqrt(3 * std::max(0.0, force2 / n - force * force / (n * n) - sigma_N * sigma_N));
  }
};

PsfRow row_of(const Block& block, const PsfLoading& loading, const PsfReading& reading,
              PsfRowKind kind) {
  PsfRow row;
  row.force_N = block.mean_force_N();
  row.half_range_N = block.half_range_N(loading.sigma_force_N);
  row.counts = block.counts / block.n - reading.offset_counts;
  row.kind = kind;
  return row;
}

}  // namespace

PsfLoading psf_loading(const PressData& data, const PressContact& contact) {
  PsfLoading loading;
  if (data.static_readings) {
    for (std::size_t i = 0; i < data.rows(); ++i) loading.rows.push_back(i);
    return loading;
  }
  const auto touch = static_cast<std::size_t>(
      std::lower_bound(data.time_s.begin(), data.time_s.end(), contact.time_s) -
      data.time_s.begin());
  const std::size_t guard = std::max<std::size_t>(2, touch / 10);
  loading.before = touch > guard ? touch - guard : 0;
  // On the readings' times the force is interpolated, so its noise is smaller than the sensor's.
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < loading.before; ++i) mean += data.force_N[i];
  mean /= static_cast<double>(std::max<std::size_t>(1, loading.before));
  for (std::size_t i = 0; i < loading.before; ++i)
    squares += (data.force_N[i] - mean) * (data.force_N[i] - mean);
  loading.sigma_force_N = loading.before >= kLeastBefore
                              ? std::sqrt(squares / (static_cast<double>(loading.before) - 1))
                              : contact.sigma_force_N;
  const double peak_N = data.force_N[data.peak] - contact.force_bias_N;
  const double slack = std::max(kHighestSoFar * contact.sigma_force_N, kPeakShare * peak_N);
  double highest = -1e300;
  for (std::size_t i = touch; i < data.rows() && i <= data.peak; ++i) {
    highest = std::max(highest, data.force_N[i]);
    if (data.force_N[i] >= highest - slack) loading.rows.push_back(i);
  }
  return loading;
}

void add_rows(const PressData& data, const PsfLoading& loading, double force_bias_N,
              std::size_t tactel_row, const PsfReading& reading, PsfTactel& tactel,
              std::vector<PsfRowNoise>& noise) {
  const auto& counts = data.counts[tactel_row];
  const std::size_t size = (loading.rows.size() + kBlocks - 1) / kBlocks;
  const double ceiling = reading.ceiling_counts > 0
                             ? reading.ceiling_counts - kCeilingBand * reading.noise_counts
                             : 1e300;
  const auto keep = [&](const Block& block, PsfRowKind kind) {
    tactel.rows.push_back(row_of(block, loading, reading, kind));
    noise.push_back({reading.noise_counts * reading.noise_counts / block.n,
                     loading.sigma_force_N * loading.sigma_force_N / block.n});
  };
  for (std::size_t begin = 0; begin < loading.rows.size(); begin += size) {
    // Where the floor is cut, readings there say something else than those above it.
    std::array<Block, 2> parts;
    const std::size_t end = std::min(begin + size, loading.rows.size());
    for (std::size_t i = begin; i < end; ++i) {
      const double c = counts[loading.rows[i]];
      if (std::isnan(c)) continue;
      const bool at_floor = reading.cut_floor && c <= reading.offset_counts;
      parts[at_floor ? 1 : 0].add(data.force_N[loading.rows[i]] - force_bias_N, c);
    }
    if (parts[1].n > 0) keep(parts[1], PsfRowKind::kFloor);
    auto& part = parts[0];
    if (part.n == 0) continue;
    if (part.lowest >= ceiling) {
      keep(part, PsfRowKind::kCeiling);
      tactel.rows.back().counts = ceiling - reading.offset_counts;
    } else if (part.highest < ceiling) {
      keep(part, reading.cut_floor ? PsfRowKind::kLine : PsfRowKind::kFloored);
    }  // partly at the ceiling: its mean says neither
  }
}

void first_weights(PsfData& data) {
  constexpr double kRelative = 0.01;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t)
    for (std::size_t i = 0; i < data.noise[t].size(); ++i) {
      auto& row = data.problem.tactels[t].rows[i];
      const double own = kRelative * row.counts;
      row.weight = 1 / (data.noise[t][i].counts2 + own * own);
    }
}

void reweight(PsfData& data, const PsfState& state, const std::vector<double>& share_values,
              double relative) {
  auto& problem = data.problem;
  for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
    auto& tactel = problem.tactels[t];
    for (const auto& group : tactel.groups) {
      const double share = share_values[group.press * problem.layout.tactels() +
                                        static_cast<std::size_t>(tactel.index)];
      const double slope = state.slope[t] * share;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        auto& row = tactel.rows[i];
        const auto& noise = data.noise[t][i];
        const double line = slope * row.force_N - state.intercept[t];
        const double force2 = line > 0 ? slope * slope * noise.force2 : 0;
        const double own = relative * std::max(0.0, line);
        row.weight = 1 / (noise.counts2 + force2 + own * own);
      }
    }
  }
}

namespace {

/// What a tactel's readings are measured against, before any press.
struct TactelBase {
  bool live = false;
  double offset_counts = 0, noise_counts = 0, ceiling_counts = 0;
  bool offset_known = false;
};

/// Ceiling of tactels whose own is not known: a little below all that are. Taking it too low only
/// says less (the reading is at least so much); 0: there is none.
double lowest_saturation(const FitContext& context) {
  constexpr double kBelowOthers = 0.97;
  double lowest = context.model.sensor.adc.max.value_or(0);
  for (const auto& response : context.model.response.tactels)
    if (const auto& own = response.saturation.value)
      lowest = lowest > 0 ? std::min(lowest, kBelowOthers * *own) : kBelowOthers * *own;
  return lowest;
}

std::vector<TactelBase> bases_of(const FitContext& context) {
  std::vector<TactelBase> bases;
  std::vector<double> noises;
  for (const auto& response : context.model.response.tactels)
    if (response.noise.value && *response.noise.value > 0) noises.push_back(*response.noise.value);
  const double usual = noises.empty() ? 1 : median(noises);
  const double lowest = lowest_saturation(context);
  for (const auto& response : context.model.response.tactels) {
    TactelBase base;
    base.live = response.status != TactelStatus::kDead && response.status != TactelStatus::kStuck;
    base.offset_known = response.offset.value.has_value();
    base.offset_counts = response.offset.value.value_or(0);
    base.noise_counts = std::max(response.noise.value.value_or(usual), 0.29);  // 1/sqrt(12)
    base.ceiling_counts = response.saturation.value.value_or(lowest);
    bases.push_back(base);
  }
  return bases;
}

const Press& press_of(const FitContext& context, std::size_t row) {
  const auto& contact = context.contacts[row];
  return context.sessions[contact.session].presses[contact.press];
}

const SessionMetadata& metadata_of(const FitContext& context, std::size_t row) {
  return context.sessions[context.contacts[row].session].session->metadata();
}

bool is_fast(const Press& press) {
  return press.kind == "speed" || press.kind == "chirp" || press.kind == "hold" ||
         press.kind == "cycle";
}

struct Chosen {
  std::size_t row = 0;
  PsfPress press;
};

class Selection {
 public:
  explicit Selection(FitContext& context) : context_(context) {}

  std::vector<Chosen> presses(PsfProblem& problem) {
    std::vector<Chosen> chosen;
    for (std::size_t row = 0; row < context_.contacts.size(); ++row) {
      if (context_.model.presses[row].verdict == "unusable" || !context_.contacts[row].ok) continue;
      Chosen one{row, {}};
      if (const auto why = place(row, problem, one.press); !why.empty())
        note(row, "psf: " + why);
      else
        chosen.push_back(one);
    }
    const bool any_slow = std::any_of(chosen.begin(), chosen.end(), [&](const Chosen& c) {
      return !is_fast(press_of(context_, c.row));
    });
    if (any_slow)
      std::erase_if(chosen, [&](const Chosen& c) {
        if (!is_fast(press_of(context_, c.row))) return false;
        note(c.row, "psf: slower presses are taken");
        return true;
      });
    problem.frames = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(frames_.size()));
    return chosen;
  }

  std::string first_objection() const { return first_; }

 private:
  void note(std::size_t row, const std::string& why) {
    auto& text = context_.model.presses[row].why;
    text += (text.empty() ? "" : "; ") + why;
    if (first_.empty()) first_ = why;
  }

  std::string place(std::size_t row, PsfProblem& problem, PsfPress& result) {
    const auto& press = press_of(context_, row);
    if (press.kind == "area") return "presses the whole array";
    if (press.x_m && press.y_m) {
      result.x_m = *press.x_m;
      result.y_m = *press.y_m;
    } else if (press.tactel) {
      const auto centre = context_.model.sensor.position_m(*press.tactel);
      result.x_m = centre[0];
      result.y_m = centre[1];
    } else {
      return "its place is not stated (x_mm, y_mm)";
    }
    const auto& metadata = metadata_of(context_, row);
    const auto& indenter = press.indenter ? press.indenter : metadata.indenter;
    if (!indenter) return "its indenter is not stated, so its footprint is unknown";
    const auto [found, is_new] = footprints_.try_emplace(
        indenter->describe(), static_cast<std::uint32_t>(problem.footprints.size()));
    if (is_new) {
      auto footprint = press_footprint(*indenter, problem.layout.pitch_m());
      if (!footprint) {
        footprints_.erase(found);
        return fmt::format("the contact of {} grows with depth, only flat ends are fitted",
                           indenter->describe());
      }
      problem.footprints.push_back(std::move(*footprint));
    }
    result.footprint = found->second;
    result.frame = frames_.try_emplace(metadata.mount, static_cast<std::uint32_t>(frames_.size()))
                       .first->second;
    return {};
  }

  FitContext& context_;
  std::map<std::string, std::uint32_t> footprints_, frames_;
  std::string first_;
};

/// One press's rows for every tactel it reaches.
class PressReader {
 public:
  PressReader(const FitContext& context, PsfData& data, std::vector<TactelBase> bases)
      : context_(context), data_(data), bases_(std::move(bases)) {
    for (std::size_t i = 0; i < bases_.size(); ++i)
      if (bases_[i].live) live_.push_back(static_cast<int>(i));
    data_.problem.tactels.resize(bases_.size());
    data_.noise.resize(bases_.size());
    for (std::size_t i = 0; i < bases_.size(); ++i)
      data_.problem.tactels[i].index = static_cast<int>(i);
  }

  Result<std::string> read(const Chosen& chosen) {
    const auto& contact = context_.contacts[chosen.row];
    const auto loaded = load_press(context_, contact.session, contact.press, live_);
    if (!loaded) {
      if (loaded.error().code != ErrorCode::kUnidentifiable) return fail(loaded.error());
      return loaded.error().message;
    }
    if (loaded->counts.empty() || !loaded->has_force())
      return std::string("force or tactile stream missing");
    const auto index = static_cast<std::uint32_t>(data_.problem.presses.size());
    data_.problem.presses.push_back(chosen.press);
    data_.press_row.push_back(chosen.row);
    data_.peak_force_N =
        std::max(data_.peak_force_N, loaded->force_N[loaded->peak] - contact.force_bias_N);
    Image image;
    const auto loading = psf_loading(*loaded, contact);
    for (std::size_t i = 0; i < live_.size(); ++i)
      add(*loaded, loading, contact.force_bias_N, i, index, image);
    finish(chosen.press, image);
    return std::string();
  }

 private:
  struct Image {
    double sum = 0, x = 0, y = 0;
    std::size_t answering = 0;
  };

  void add(const PressData& data, const PsfLoading& loading, double bias_N, std::size_t i,
           std::uint32_t press, Image& image) {
    const auto t = static_cast<std::size_t>(live_[i]);
    const auto reading = reading_of(data, loading.before, i, bases_[t]);
    if (!reading) return;
    auto& tactel = data_.problem.tactels[t];
    auto& noise = data_.noise[t];
    const auto begin = static_cast<std::uint32_t>(tactel.rows.size());
    add_rows(data, loading, bias_N, i, *reading, tactel, noise);
    double brightest = 0;
    bool answers = false;
    for (std::size_t r = begin; r < tactel.rows.size(); ++r) {
      const auto& row = tactel.rows[r];
      brightest = std::max(brightest, row.counts);
      if (row.counts > kClear * std::max(std::sqrt(noise[r].counts2), 0.5)) answers = true;
    }
    const auto centre = context_.model.sensor.position_m(live_[i]);
    const auto& at = data_.problem.presses[press];
    const double away_m = std::hypot(centre[0] - at.x_m, centre[1] - at.y_m);
    if (!answers && away_m > kNear * data_.problem.layout.pitch_m()) {
      tactel.rows.resize(begin);
      noise.resize(begin);
      return;
    }
    tactel.groups.push_back({press, begin, static_cast<std::uint32_t>(tactel.rows.size())});
    data_.samples += data.rows();
    if (!answers) return;
    ++image.answering;
    image.sum += brightest;
    image.x += brightest * centre[0];
    image.y += brightest * centre[1];
  }

  void finish(const PsfPress& press, const Image& image) {
    data_.most_answering = std::max(data_.most_answering, image.answering);
    if (image.sum > 0)
      data_.centroid_error_m.push_back(
          std::hypot(image.x / image.sum - press.x_m, image.y / image.sum - press.y_m));
  }

  std::optional<PsfReading> reading_of(const PressData& data, std::size_t before, std::size_t i,
                                       const TactelBase& base) const {
    PsfReading reading{base.offset_counts, base.noise_counts, base.ceiling_counts, false};
    const double floor = context_.model.sensor.adc.min.value_or(0);
    double mean = 0, at_floor = 0, n = 0;
    for (std::size_t r = 0; r < before; ++r) {
      const double c = data.counts[i][r];
      if (std::isnan(c)) continue;
      mean += c;
      at_floor += c <= floor ? 1 : 0;
      ++n;
    }
    if (n >= kLeastBefore) {
      reading.cut_floor = at_floor >= kAtFloor * n;
      reading.offset_counts = reading.cut_floor ? floor : mean / n;
      return reading;
    }
    if (!base.offset_known) return {};
    reading.cut_floor = base.offset_counts <= floor;
    return reading;
  }

  const FitContext& context_;
  PsfData& data_;
  std::vector<TactelBase> bases_;
  std::vector<int> live_;
};

/// Tactels that answered too little are no part of the fit.
void drop_silent(PsfData& data) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < data.problem.tactels.size(); ++t) {
    const auto& rows = data.problem.tactels[t].rows;
    std::size_t answering = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      answering += rows[i].kind != PsfRowKind::kCeiling &&
                           rows[i].counts > kClear * std::sqrt(data.noise[t][i].counts2)
                       ? 1
                       : 0;
    if (answering < kLeastAnswering) continue;
    if (kept != t) {
      data.problem.tactels[kept] = std::move(data.problem.tactels[t]);
      data.noise[kept] = std::move(data.noise[t]);
    }
    ++kept;
  }
  data.problem.tactels.resize(kept);
  data.noise.resize(kept);
}

double median_threshold_N(const FitContext& context) {
  std::vector<double> thresholds;
  for (const auto& response : context.model.response.tactels)
    if (response.press_threshold.identified())
      thresholds.push_back(*response.press_threshold.value);
  return thresholds.empty() ? 0 : median(thresholds);
}

}  // namespace

Result<PsfData> load_psf_data(FitContext& context) {
  auto layout = PsfLayout::create(context.model.sensor);
  if (!layout) return fail(layout.error());
  PsfData data;
  data.problem.layout = std::move(*layout);
  Selection selection(context);
  const auto chosen = selection.presses(data.problem);
  PressReader reader(context, data, bases_of(context));
  std::string objection = selection.first_objection();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (context.job.stopped()) return Job::cancelled();
    context.job.progress("psf", static_cast<double>(i), static_cast<double>(chosen.size()));
    const auto why = reader.read(chosen[i]);
    if (!why) return fail(why.error());
    if (why->empty()) continue;
    auto& text = context.model.presses[chosen[i].row].why;
    text += (text.empty() ? "psf: " : "; psf: ") + *why;
    if (objection.empty()) objection = *why;
  }
  if (data.problem.presses.empty())
    return fail(ErrorCode::kUnidentifiable,
                "NOT-FITTED no press can speak for the point spread{}: press at known places with "
                "a flat-ended indenter (protocol study)",
                objection.empty() ? "" : " (" + objection + ")");
  drop_silent(data);
  data.median_press_threshold_N = median_threshold_N(context);
  return data;
}

}  // namespace tactelier
