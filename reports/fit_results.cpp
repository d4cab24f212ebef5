#include "reports/fit_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "fitting/engine/facts.hpp"
#include "fitting/engine/stage.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "reports/quantity_text.hpp"

namespace tactelier {
namespace {

bool is_per_tactel(std::string_view path) {
  return path.starts_with("response.tactels[") || path.starts_with("stiffness.k_punch_tactel[");
}

/// "response.tactels[3].gain" -> "response.tactels[].gain"
std::string without_index(std::string path) {
  const auto open = path.find('[');
  return path.erase(open + 1, path.find(']') - open - 1);
}

std::string last_part(const std::string& path) {
  auto name = path.substr(path.rfind('.') + 1);
  if (name.ends_with("[]")) name.resize(name.size() - 2);
  return name;
}

std::string group_id(const std::string& path) {
  const auto* group = group_of(path);
  return group != nullptr ? std::string(group->path) : path.substr(0, path.find('.'));
}

bool shown(const Parameter& parameter, std::string_view stage) {
  return parameter.usable() || std::any_of(stages().begin(), stages().end(),
                                           [&](const Stage& known) { return known.id == stage; });
}

void add(std::vector<ResultGroup>& groups, ResultRow row) {
  const auto id = group_id(row.path);
  auto found = std::find_if(groups.begin(), groups.end(),
                            [&](const ResultGroup& group) { return group.id == id; });
  if (found == groups.end()) found = groups.insert(groups.end(), {id, {}});
  found->rows.push_back(std::move(row));
}

/// What was calibrated before what describes the rig and its clocks.
void sort_groups(std::vector<ResultGroup>& groups) {
  std::stable_partition(groups.begin(), groups.end(), [](const ResultGroup& group) {
    const auto* fact = group_of(group.id);
    return fact == nullptr || !fact->of_recording;
  });
}

std::string commonest_reason(const std::vector<Parameter>& all) {
  std::map<std::string, int> count;
  for (const auto& parameter : all)
    if (!parameter.usable()) ++count[parameter.reason];
  const auto most = std::max_element(count.begin(), count.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return most == count.end() ? std::string() : most->first;
}

Parameter mean_of(const std::vector<Parameter>& all, TactelSpread& spread) {
  std::vector<double> values;
  double sum = 0;
  double uncertainty = 0;
  int with_uncertainty = 0;
  Status status = Status::kIdentified;
  for (const auto& parameter : all) {
    if (!parameter.value) continue;
    values.push_back(*parameter.value);
    sum += *parameter.value;
    if (parameter.status != Status::kIdentified) status = parameter.status;
    if (const auto u = expanded_uncertainty(parameter)) {
      uncertainty += *u;
      ++with_uncertainty;
    }
  }
  spread.have = static_cast<int>(values.size());
  spread.of = static_cast<int>(all.size());
  const auto unit = all.empty() ? std::string() : all.front().unit;
  if (values.empty()) return unidentifiable(unit, commonest_reason(all));
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  spread.least = *least;
  spread.greatest = *greatest;
  spread.median = median(values);
  Parameter mean;
  mean.value = sum / spread.have;
  mean.unit = unit;
  if (with_uncertainty == spread.have) mean.u_total = uncertainty / with_uncertainty;
  mean.status = status;
  mean.reason = commonest_reason(all);
  return mean;
}

}  // namespace

std::vector<Parameter> over_array(const SensorModel& model, std::string_view wanted) {
  std::vector<Parameter> all;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (is_per_tactel(path) && without_index(path) == wanted)
                         all.push_back(parameter);
                     });
  if (all.size() != model.response.tactels.size()) all.clear();
  return all;
}

std::vector<ResultGroup> array_results(const SensorModel& model) {
  struct Spread {
    std::string stage;
    std::vector<Parameter> all;
    bool shown = false;
  };
  std::vector<std::pair<std::string, std::optional<ResultRow>>> order;
  std::map<std::string, Spread> spreads;
  for_each_parameter(
      model, [&](const std::string& path, const Parameter& parameter, std::string_view stage) {
        const bool show = shown(parameter, stage);
        if (path.starts_with("presses[")) return;
        if (!is_per_tactel(path)) {
          if (show)
            order.emplace_back(path,
                               ResultRow{path, last_part(path), parameter, std::string(stage), {}});
          return;
        }
        const auto key = without_index(path);
        const auto [at, is_new] = spreads.try_emplace(key);
        if (is_new) order.emplace_back(key, std::nullopt);
        at->second.stage = stage;
        at->second.all.push_back(parameter);
        at->second.shown = at->second.shown || show;
      });
  std::vector<ResultGroup> groups;
  for (auto& [key, row] : order) {
    if (row) {
      add(groups, std::move(*row));
      continue;
    }
    const auto& spread = spreads.at(key);
    if (!spread.shown) continue;
    ResultRow mean{key, last_part(key), {}, spread.stage, {}};
    mean.parameter = mean_of(spread.all, mean.spread);
    add(groups, std::move(mean));
  }
  sort_groups(groups);
  return groups;
}

std::vector<ResultGroup> tactel_results(const SensorModel& model, int tactel) {
  const auto index = fmt::format("[{}]", tactel);
  std::vector<ResultGroup> groups;
  for_each_parameter(
      model, [&](const std::string& path, const Parameter& parameter, std::string_view stage) {
        const auto open = path.find('[');
        if (!is_per_tactel(path) || path.compare(open, index.size(), index) != 0) return;
        if (shown(parameter, stage))
          add(groups, {path, last_part(without_index(path)), parameter, std::string(stage), {}});
      });
  return groups;
}

std::vector<std::string> array_parameters(const SensorModel& model) {
  std::vector<std::string> names;
  for_each_parameter(model,
                     [&](const std::string& path, const Parameter& parameter, std::string_view) {
                       if (!is_per_tactel(path) || !parameter.usable()) return;
                       auto name = without_index(path);
                       if (std::find(names.begin(), names.end(), name) == names.end())
                         names.push_back(std::move(name));
                     });
  return names;
}

}  // namespace tactelier
