#include "app/workflow/compare_limits.hpp"

#include <charconv>
#include <cmath>

namespace tactelier {

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
  if (!metric->error)
    return fail(ErrorCode::kUsage, "--fail-above {}: of {} more is better", text, name);
  MetricLimit limit{metric, 0};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, limit.most);
  if (error != std::errc{} || stop != end || !std::isfinite(limit.most))
    return fail(ErrorCode::kUsage, "--fail-above {}: '{}' is no number", text,
                text.substr(equals + 1));
  return limit;
}

}  // namespace tactelier
