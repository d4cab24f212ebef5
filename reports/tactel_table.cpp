#include "reports/tactel_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "libcalib/model_file/model_file.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

struct Spread {
  std::string path;  // "response.tactels[].gain"
  std::string unit;
  std::vector<double> values;
  std::size_t count = 0, determined = 0, predicted = 0;
  std::map<std::string, int> reasons;
};

bool is_per_tactel(std::string_view path) {
  return path.starts_with("response.tactels[") || path.starts_with("stiffness.k_punch_tactel[");
}

/// "response.tactels[3].gain" -> "response.tactels[].gain"
std::string without_index(std::string path) {
  const auto open = path.find('[');
  return path.erase(open + 1, path.find(']') - open - 1);
}

std::vector<Spread> spreads(const SensorModel& model) {
  std::vector<Spread> all;
  std::map<std::string, std::size_t> place;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!is_per_tactel(path)) return;
                       const auto key = without_index(path);
                       const auto [at, is_new] = place.emplace(key, all.size());
                       if (is_new) all.push_back({key, parameter.unit, {}, 0, 0, 0, {}});
                       auto& spread = all[at->second];
                       ++spread.count;
                       spread.determined += parameter.determined() ? 1 : 0;
                       spread.predicted += parameter.status == Status::kPredicted ? 1 : 0;
                       if (parameter.usable())
                         spread.values.push_back(*parameter.value);
                       else
                         ++spread.reasons[parameter.reason];
                     });
  return all;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::string commonest(const std::map<std::string, int>& reasons) {
  if (reasons.empty()) return "";
  const auto most = std::max_element(reasons.begin(), reasons.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return fmt::format("{} x {}", most->second, most->first);
}

std::string remark(const Spread& spread) {
  std::vector<std::string> parts;
  if (spread.predicted > 0)
    parts.push_back(fmt::format("{} predicted from the others", spread.predicted));
  if (auto why = commonest(spread.reasons); !why.empty()) parts.push_back(std::move(why));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// Median, least and greatest in the unit that suits the largest of them.
std::vector<std::string> in_one_unit(const Spread& spread) {
  if (spread.values.empty()) return {"-", "-", "-", spread.unit};
  const auto [least, greatest] = std::minmax_element(spread.values.begin(), spread.values.end());
  const double middle = median(spread.values);
  const double largest = std::max(std::abs(*least), std::abs(*greatest));
  const auto text = quantity_text(largest, std::nullopt, spread.unit);
  const double factor = prefix_factor(largest, spread.unit);
  return {fmt::format("{:.5g}", middle * factor), fmt::format("{:.5g}", *least * factor),
          fmt::format("{:.5g}", *greatest * factor), text.unit};
}

std::string with_uncertainty(const Parameter& parameter) {
  const auto text = quantity_text(parameter);
  if (!parameter.usable()) return "-";
  return text.value + (text.uncertainty.empty() ? "" : " ± " + text.uncertainty) + " " + text.unit;
}

}  // namespace

Section tactel_summary(const SensorModel& model) {
  Table states{{"State", "Tactels"}, {}};
  std::map<TactelStatus, int> counts;
  for (const auto& tactel : model.response.tactels) ++counts[tactel.status];
  for (const auto& [status, count] : counts)
    states.rows.push_back({std::string(to_string(status)), fmt::format("{}", count)});

  Table table{{"Parameter", "Determined", "Median", "Least", "Greatest", "Unit", "Remark"}, {}};
  for (const auto& spread : spreads(model)) {
    auto cells = in_one_unit(spread);
    table.rows.push_back({spread.path, fmt::format("{}/{}", spread.determined, spread.count),
                          cells[0], cells[1], cells[2], cells[3], remark(spread)});
  }
  return {"Tactels", {std::move(states), std::move(table)}, {}};
}

Section tactel_rows(const SensorModel& model) {
  Table table{{"Tactel", "State", "Offset", "Press threshold", "Press gain", "Saturation", "Noise",
               "k_punch", "Remark"},
              {}};
  for (std::size_t i = 0; i < model.response.tactels.size(); ++i) {
    const auto& tactel = model.response.tactels[i];
    const auto& stiffness = model.stiffness.k_punch_tactel;
    table.rows.push_back({fmt::format("{}", tactel.index), std::string(to_string(tactel.status)),
                          with_uncertainty(tactel.offset), with_uncertainty(tactel.press_threshold),
                          with_uncertainty(tactel.press_gain), with_uncertainty(tactel.saturation),
                          with_uncertainty(tactel.noise),
                          i < stiffness.size() ? with_uncertainty(stiffness[i]) : "-",
                          tactel.press_gain.reason});
  }
  return {"Tactel by tactel", {std::move(table)}, {}};
}

}  // namespace tactelier
