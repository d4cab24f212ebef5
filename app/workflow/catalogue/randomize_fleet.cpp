#include "app/workflow/catalogue/randomize_fleet.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "fitting/engine/facts.hpp"
#include "fitting/statistics/random.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier {
namespace {

using nlohmann::json;

/// Sensors by rows, chosen parameters by columns.
struct CompleteFleet {
  std::vector<std::vector<const CatalogueValue*>> rows;
};

CompleteFleet complete_sensors(const std::vector<CatalogueRow>& all,
                               const std::vector<std::string>& paths) {
  std::map<std::string, std::map<std::string, const CatalogueValue*>> sensors;
  for (const auto& row : all)
    if (row.value.value && row.value.status == "identified")
      sensors[row.sensor + " " + row.serial][row.value.path] = &row.value;
  CompleteFleet fleet;
  for (const auto& [name, values] : sensors) {
    if (values.size() != paths.size()) continue;
    auto& row = fleet.rows.emplace_back();
    for (const auto& path : paths) row.push_back(values.at(path));
  }
  return fleet;
}

std::vector<double> column_of(const CompleteFleet& fleet, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : fleet.rows) values.push_back(*row[column]->value);
  return values;
}

/// Mean of the squared standard errors, of the logarithm where that is taken.
double measured_variance(const CompleteFleet& fleet, std::size_t column, bool logarithmic) {
  double sum = 0;
  for (const auto& row : fleet.rows) {
    const double u = row[column]->std.value_or(0) / (logarithmic ? *row[column]->value : 1);
    sum += u * u;
  }
  return sum / static_cast<double>(fleet.rows.size());
}

Eigen::MatrixXd scaled_values(const CompleteFleet& fleet, const std::vector<bool>& logarithmic) {
  Eigen::MatrixXd values(fleet.rows.size(), logarithmic.size());
  for (std::size_t i = 0; i < fleet.rows.size(); ++i)
    for (std::size_t j = 0; j < logarithmic.size(); ++j) {
      const double value = *fleet.rows[i][j]->value;
      values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          logarithmic[j] ? std::log(value) : value;
    }
  return values;
}

/// A root of the covariance that also one of linearly dependent parameters has.
Eigen::MatrixXd root_of(const FleetDistribution& fleet) {
  const auto n = static_cast<Eigen::Index>(fleet.paths.size());
  const Eigen::Map<const Eigen::MatrixXd> covariance(fleet.covariance.data(), n, n);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// Values that a model has at a path, which may stand for one of each tactel.
std::vector<std::pair<std::string, double>> values_at(const SensorModel& model,
                                                      const std::string& path) {
  std::vector<std::pair<std::string, double>> found;
  for_each_parameter(model,
                     [&](const std::string& own, const Parameter& parameter, std::string_view) {
                       if (parameter.value && (own == path || without_indices(own) == path))
                         found.emplace_back(own, *parameter.value);
                     });
  return found;
}

json distribution_json(const FleetDistribution& fleet) {
  auto parameters = json::array();
  for (std::size_t i = 0; i < fleet.paths.size(); ++i)
    parameters.push_back({{"path", fleet.paths[i]},
                          {"unit", fleet.units[i]},
                          {"scale", fleet.logarithmic[i] ? "logarithm" : "value"},
                          {"mean", fleet.mean[i]},
                          {"measured_share", fleet.measured[i]},
                          {"range", fleet.range[i]}});
  return {{"format", "tactelier/fleet-distribution"},
          {"version", 1},
          {"sensors", fleet.sensors},
          {"parameters", parameters},
          {"covariance", fleet.covariance}};
}

Result<std::vector<std::filesystem::path>> write_models(
    const RandomizeRequest& request, const FleetDistribution& fleet,
    const std::vector<std::vector<double>>& draws) {
  const auto base = read_model(request.base);
  if (!base) return fail(base.error());
  std::error_code error;
  std::filesystem::create_directories(request.models, error);
  if (error) return fail(ErrorCode::kIo, "'{}': {}", request.models.string(), error.message());
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const auto model = drawn_model(*base, fleet, draws[i]);
    if (!model) return fail(model.error());
    files.push_back(request.models / fmt::format("drawn-{:04}.json", i + 1));
    if (auto written = write_model(*model, files.back()); !written) return fail(written.error());
  }
  return files;
}

}  // namespace

Result<FleetDistribution> fleet_distribution(const Catalogue& catalogue,
                                             const std::vector<std::string>& paths) {
  CatalogueFilter filter;
  filter.paths = paths;
  const auto all = query_catalogue(catalogue, filter);
  if (!all) return fail(all.error());
  const auto complete = complete_sensors(*all, paths);
  const auto n = static_cast<Eigen::Index>(paths.size());
  const auto needed = std::max(kMinFleet, paths.size() + 2);
  if (complete.rows.size() < needed)
    return fail(ErrorCode::kUnidentifiable,
                "{} sensors hold all of these parameters, at least {} are needed; choose fewer "
                "parameters, or calibrate more sensors",
                complete.rows.size(), needed);
  FleetDistribution fleet{paths, {}, {}, {}, {}, {}, {}, complete.rows.size()};
  for (std::size_t j = 0; j < paths.size(); ++j) {
    const auto values = column_of(complete, j);
    fleet.logarithmic.push_back(std::ranges::all_of(values, [](double v) { return v > 0; }));
    fleet.units.push_back(complete.rows.front()[j]->unit);
    fleet.range.push_back({quantile(values, 0.05), quantile(values, 0.95)});
  }
  const auto values = scaled_values(complete, fleet.logarithmic);
  const Eigen::RowVectorXd mean = values.colwise().mean();
  const Eigen::MatrixXd off = values.rowwise() - mean;
  const Eigen::MatrixXd covariance =
      off.transpose() * off / static_cast<double>(complete.rows.size() - 1);
  fleet.mean.assign(mean.begin(), mean.end());
  fleet.covariance.assign(covariance.data(), covariance.data() + n * n);
  for (std::size_t j = 0; j < paths.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const double whole = covariance(at, at);
    const double own = measured_variance(complete, j, fleet.logarithmic[j]);
    fleet.measured.push_back(whole > 0 ? std::min(1.0, own / whole) : 0);
  }
  return fleet;
}

std::vector<std::vector<double>> draw_sensors(const FleetDistribution& fleet, std::size_t count,
                                              std::uint64_t seed) {
  const auto root = root_of(fleet);
  RandomSource random(seed);
  std::vector<std::vector<double>> draws;
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::VectorXd normal(root.rows());
    for (auto& number : normal) number = random.normal();
    const Eigen::VectorXd step = root * normal;
    auto& values = draws.emplace_back();
    for (std::size_t j = 0; j < fleet.paths.size(); ++j) {
      const double value = fleet.mean[j] + step(static_cast<Eigen::Index>(j));
      values.push_back(fleet.logarithmic[j] ? std::exp(value) : value);
    }
  }
  return draws;
}

Result<SensorModel> drawn_model(const SensorModel& base, const FleetDistribution& fleet,
                                const std::vector<double>& values) {
  auto model = base;
  for (std::size_t j = 0; j < fleet.paths.size(); ++j) {
    const auto& path = fleet.paths[j];
    const bool many = path.find("[]") != path.npos;
    auto own = values_at(base, path);
    if (own.empty() && many)
      return fail(ErrorCode::kInvalidInput, "the model to start from has no value of {}", path);
    std::vector<double> numbers;
    for (const auto& each : own) numbers.push_back(each.second);
    if (!many) own = {{path, 1.0}};
    const double factor = many ? values[j] / median(numbers) : values[j];
    for (const auto& [each, value] : own)
      if (auto done = assume(model, fmt::format("{}={}", each, value * factor), "catalogue"); !done)
        return fail(done.error());
  }
  return model;
}

Result<RandomizeOutcome> randomize_fleet(const Catalogue& catalogue,
                                         const RandomizeRequest& request) {
  RandomizeOutcome outcome;
  auto fleet = fleet_distribution(catalogue, request.paths);
  if (!fleet) return fail(fleet.error());
  outcome.fleet = std::move(*fleet);
  const auto draws = draw_sensors(outcome.fleet, request.draws, request.seed);
  auto document = distribution_json(outcome.fleet);
  document["seed"] = request.seed;
  document["draws"] = draws;
  if (!request.models.empty()) {
    auto written = write_models(request, outcome.fleet, draws);
    if (!written) return fail(written.error());
    outcome.models = std::move(*written);
  }
  if (auto written = write_text_file(request.target, document.dump(1) + "\n"); !written)
    return fail(written.error());
  return outcome;
}

}  // namespace tactelier
