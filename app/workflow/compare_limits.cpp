#include "app/workflow/compare_limits.hpp"

#include <charconv>
#include <cmath>

namespace tactelier {
namespace {

/// Empty while the limit holds.
std::string exceeded(const MetricLimit& limit, std::string_view of, std::optional<double> value) {
  if (!value) return fmt::format("{} of {} has no value", limit.metric->name, of);
  if (*value <= limit.most) return {};
  return fmt::format("{} of {}: {:.4g} {} is above {:g}", limit.metric->name, of, *value,
                     limit.metric->unit, limit.most);
}

}  // namespace

std::string error_metrics() {
  std::string names;
  for (const auto& info : image_metrics())
    if (info.error) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

Result<MetricLimit> parse_limit(const std::string& text) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto* metric = find_image_metric(name);
  if (!metric || equals == text.npos)
    return fail(ErrorCode::kUsage, "--fail-above {}: give METRIC=VALUE, METRIC one of {}", text,
                error_metrics());
  auto limit = metric_limit(name, 0);
  if (!limit) return fail(limit.error(), fmt::format("--fail-above {}", text));
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, limit->most);
  if (error != std::errc{} || stop != end || !std::isfinite(limit->most))
    return fail(ErrorCode::kUsage, "--fail-above {}: '{}' is no number", text,
                text.substr(equals + 1));
  return limit;
}

Result<MetricLimit> metric_limit(const std::string& name, double most) {
  const auto* metric = find_image_metric(name);
  if (!metric)
    return fail(ErrorCode::kUsage, "there is no metric '{}'; limits are on {}", name,
                error_metrics());
  if (!metric->error) return fail(ErrorCode::kUsage, "of {} more is better", name);
  if (!std::isfinite(most)) return fail(ErrorCode::kUsage, "{}: the limit is no number", name);
  return MetricLimit{metric, most};
}

std::vector<std::string> beyond_limits(const std::vector<MetricLimit>& limits,
                                       const CompareReport& report) {
  std::vector<std::string> found;
  for (const auto& limit : limits) {
    for (const auto& method : report.left_out) found.push_back(exceeded(limit, method, {}));
    for (const auto& [method, metrics] : report.summary) {
      const auto summary = metrics.find(limit.metric->metric);
      found.push_back(
          exceeded(limit, method,
                   summary == metrics.end() ? std::optional<double>() : summary->second.median));
    }
  }
  std::erase(found, "");
  return found;
}

std::vector<std::string> beyond_limits(const std::vector<MetricLimit>& limits,
                                       const std::string& of, const ImageMetricValues& metrics) {
  std::vector<std::string> found;
  for (const auto& limit : limits)
    found.push_back(exceeded(limit, of, at(metrics, limit.metric->metric)));
  std::erase(found, "");
  return found;
}

}  // namespace tactelier
