#include "fitting/array/array_presses.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "fitting/recording/load_in_order.hpp"
#include "fitting/recording/load_rounds.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kRows = 60'000;      // of all presses together
constexpr std::size_t kLeastOfPress = 50;  // rows that each may have in any case

ArrayPress rows_of(const PressData& data, std::size_t most) {
  const std::size_t stride = std::max<std::size_t>(1, (data.rows() + most - 1) / most);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.rows(); row += stride) rows.push_back(row);
  ArrayPress press;
  const auto size = static_cast<Eigen::Index>(rows.size());
  press.force_N.resize(size);
  press.readings.resize(size, static_cast<Eigen::Index>(data.counts.size()));
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto row = rows[static_cast<std::size_t>(i)];
    press.force_N(i) = data.force_N[row];
    for (std::size_t t = 0; t < data.counts.size(); ++t)
      press.readings(i, static_cast<Eigen::Index>(t)) = data.counts[t][row];
  }
  return press;
}

/// Readings at rest as the stage "response" found them; NaN where it found none.
std::vector<double> offsets_of(const SensorModel& model) {
  std::vector<double> offsets;
  for (const auto& tactel : model.response.tactels)
    offsets.push_back(tactel.offset.value.value_or(std::nan("")));
  return offsets;
}

PressData part_of(const PressData& data, std::size_t begin, std::size_t end) {
  const auto cut = [&](const std::vector<double>& all) {
    if (all.empty()) return all;
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                               all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  PressData part;
  part.static_readings = data.static_readings;
  part.time_s = cut(data.time_s);
  part.travel_m = cut(data.travel_m);
  part.force_N = cut(data.force_N);
  for (const auto& counts : data.counts) part.counts.push_back(cut(counts));
  part.peak = static_cast<std::size_t>(std::max_element(part.force_N.begin(), part.force_N.end()) -
                                       part.force_N.begin());
  return part;
}

class Loader {
 public:
  Loader(const FitContext& context, std::size_t most)
      : context_(context), most_(most), offsets_(offsets_of(context.model)) {}

  /// From any thread.
  ArrayPresses of(std::size_t row, PressData data) const {
    ArrayPresses presses;
    const auto& contact = context_.contacts[row];
    for (double& force : data.force_N) force -= contact.force_bias_N;
    if (data.has_travel())
      data.travel_m =
          tip_travel_m(context_.compliance[contact.session], data.travel_m, data.force_N);
    const auto begins =
        data.static_readings ? round_begins(data.force_N) : std::vector<std::size_t>{0};
    const auto add = [&](const PressData& round) {
      presses.rows.push_back(rows_of(round, most_));
      presses.figures.push_back(
          {row, press_figures(round, contact.sigma_force_N, offsets_, hold_of(contact))});
    };
    if (begins.size() == 1 && begins.front() == 0) {
      add(data);
      return presses;
    }
    for (std::size_t k = 0; k < begins.size(); ++k)
      add(part_of(data, begins[k], k + 1 < begins.size() ? begins[k + 1] : data.rows()));
    return presses;
  }

 private:
  std::optional<TimeRange> hold_of(const PressContact& contact) const {
    const auto& press = context_.sessions[contact.session].presses[contact.press];
    if (press.holds.empty()) return std::nullopt;
    return TimeRange{press.holds.front().begin_s, press.holds.front().end_s};
  }

  const FitContext& context_;
  std::size_t most_;
  std::vector<double> offsets_;
};

}  // namespace

Result<ArrayPresses> load_array_presses(const FitContext& context) {
  std::vector<int> tactels(static_cast<std::size_t>(context.model.sensor.tactels()));
  std::iota(tactels.begin(), tactels.end(), 0);
  const Loader loader(
      context, std::max(kLeastOfPress, kRows / std::max<std::size_t>(1, context.contacts.size())));
  const auto load = [&](std::size_t row) -> Result<ArrayPresses> {
    if (context.job.stopped()) return Job::cancelled();
    const auto& contact = context.contacts[row];
    if (!context.sessions[contact.session].presses[contact.press].usable()) return ArrayPresses{};
    auto data = load_press(context, contact.session, contact.press, tactels);
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
    if (!data || !data->has_force() || data->counts.empty() || data->rows() == 0)
      return ArrayPresses{};
    return loader.of(row, std::move(*data));
  };
  ArrayPresses all;
  const auto take = [&](std::size_t row, Result<ArrayPresses> presses) -> Result<void> {
    context.job.progress("array", static_cast<double>(row),
                         static_cast<double>(context.contacts.size()));
    if (!presses) return fail(presses.error());
    std::ranges::move(presses->rows, std::back_inserter(all.rows));
    std::ranges::move(presses->figures, std::back_inserter(all.figures));
    return {};
  };
  const auto done =
      load_in_order(thread_count(context.options.threads), context.contacts.size(), load, take);
  if (!done) return fail(done.error());
  return all;
}

}  // namespace tactelier
