#include "fitting/recording/array_temperature.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/statistics/identified.hpp"

namespace tactelier {
namespace {

constexpr const char* kColumn = "temperature";
constexpr double kPercentPerKelvin = 0.4;  // either way, at most

bool has_temperature(const Session& session) {
  const auto* aux = session.stream(StreamKind::kAux);
  return aux != nullptr &&
         std::any_of(aux->info.columns.begin(), aux->info.columns.end(),
                     [](const auto& column) { return column.name == kColumn; });
}

}  // namespace

Result<double> temperature_u_percent(const FitContext& context) {
  std::optional<double> reference_degC;
  double largest_K = 0;
  for (const auto& one : context.sessions) {
    if (!reference_degC) reference_degC = one.session->metadata().temperature_degC;
    if (!has_temperature(*one.session)) continue;
    const std::vector<std::string> columns{kColumn};
    const auto read = one.session->read(StreamKind::kAux, columns, {}, context.job);
    if (!read) return fail(read.error());
    for (const double degC : read->columns[0]) {
      if (!std::isfinite(degC)) continue;
      if (!reference_degC) reference_degC = degC;
      largest_K = std::max(largest_K, std::abs(degC - *reference_degC));
    }
  }
  return u_rectangular(kPercentPerKelvin * largest_K);
}

}  // namespace tactelier
