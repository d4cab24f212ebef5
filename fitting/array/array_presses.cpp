#include "fitting/array/array_presses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fitting/recording/load_rounds.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kRows = 60'000;      // of all presses together
constexpr std::size_t kLeastOfPress = 50;  // rows that each may have in any case

ArrayPress rows_of(const PressData& data, double bias_N, std::size_t begin, std::size_t end,
                   std::size_t most) {
  const std::size_t stride = std::max<std::size_t>(1, (end - begin + most - 1) / most);
  std::vector<std::size_t> rows;
  for (std::size_t row = begin; row < end; row += stride) rows.push_back(row);
  ArrayPress press;
  const auto size = static_cast<Eigen::Index>(rows.size());
  press.force_N.resize(size);
  press.readings.resize(size, static_cast<Eigen::Index>(data.counts.size()));
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto row = rows[static_cast<std::size_t>(i)];
    press.force_N(i) = data.force_N[row] - bias_N;
    for (std::size_t t = 0; t < data.counts.size(); ++t)
      press.readings(i, static_cast<Eigen::Index>(t)) = data.counts[t][row];
  }
  return press;
}

}  // namespace

Result<std::vector<ArrayPress>> load_array_presses(const FitContext& context) {
  std::vector<int> tactels(static_cast<std::size_t>(context.model.sensor.tactels()));
  std::iota(tactels.begin(), tactels.end(), 0);
  const std::size_t most =
      std::max(kLeastOfPress, kRows / std::max<std::size_t>(1, context.contacts.size()));
  std::vector<ArrayPress> presses;
  for (const auto& contact : context.contacts) {
    if (context.job.stopped()) return Job::cancelled();
    const auto data = load_press(context, contact.session, contact.press, tactels);
    if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
    if (!data || !data->has_force() || data->counts.empty() || data->rows() == 0) continue;
    const auto begins =
        data->static_readings ? round_begins(data->force_N) : std::vector<std::size_t>{0};
    for (std::size_t k = 0; k < begins.size(); ++k)
      presses.push_back(rows_of(*data, contact.force_bias_N, begins[k],
                                k + 1 < begins.size() ? begins[k + 1] : data->rows(), most));
  }
  return presses;
}

}  // namespace tactelier
