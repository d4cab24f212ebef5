#include "app/workflow/draw_model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "libcalib/model_file/model_file.hpp"
#include "libcalib/model_file/model_hash.hpp"
#include "reports/export/export_text.hpp"

namespace tactelier {
namespace {

constexpr int kMostTries = 1000;
constexpr double kLeastEigenvalue = -1e-6;  // of correlations, by rounding

using Parameters = std::map<std::string, Parameter*, std::less<>>;

using FrictionNumber = Parameter LugreParameters::*;
constexpr std::array<std::pair<const char*, FrictionNumber>, 6> kFriction{
    {{"friction.mu_s", &LugreParameters::mu_s},
     {"friction.mu_d", &LugreParameters::mu_d},
     {"friction.v_s", &LugreParameters::v_s},
     {"friction.sigma0", &LugreParameters::sigma0},
     {"friction.sigma1", &LugreParameters::sigma1},
     {"friction.c_t", &LugreParameters::c_t}}};

bool follows_contact(const Friction& friction, FrictionNumber number) {
  const auto &own = friction.*number, &contact = friction.contact.*number;
  return own.identified() && contact.identified() && contact.std.value_or(0) > 0 &&
         *contact.value != 0;
}

/// What is to be drawn, by path.
Parameters uncertain_parameters(SensorModel& model) {
  Parameters found;
  for_each_parameter(model, [&](const std::string& path, Parameter& parameter, std::string_view) {
    if (of_the_recording(path) || !parameter.identified()) return;
    if (parameter.std.value_or(0) > 0) found[path] = &parameter;
  });
  return found;
}

/// Parameters that are drawn together, and a root of their covariance.
struct Together {
  std::string first;  // path of the first one
  std::vector<Parameter*> parameters;
  std::vector<double> means;
  Eigen::MatrixXd root;
};

Result<Together> together(const CovarianceBlock& block, Parameters& left) {
  const auto n = block.parameters.size();
  if (block.lower.size() != n * (n + 1) / 2)
    return fail(ErrorCode::kInvalidInput, "covariance: {} numbers for {} parameters",
                block.lower.size(), n);
  std::vector<std::size_t> rows;
  Together group;
  for (std::size_t i = 0; i < n; ++i)
    if (const auto at = left.find(block.parameters[i]); at != left.end()) {
      if (rows.empty()) group.first = at->first;
      rows.push_back(i);
      group.parameters.push_back(at->second);
      group.means.push_back(*at->second->value);
      left.erase(at);
    }
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd covariance(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto [low, high] =
          std::minmax(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
      covariance(i, j) = covariance(j, i) = block.lower[high * (high + 1) / 2 + low];
    }
  if (size == 0) return group;
  const Eigen::VectorXd errors = covariance.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const Eigen::MatrixXd correlation =
      errors.cwiseInverse().asDiagonal() * covariance * errors.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation);
  if (!covariance.allFinite() || solver.eigenvalues()[0] < kLeastEigenvalue)
    return fail(ErrorCode::kInvalidInput, "covariance of {} and others: it is none", group.first);
  group.root = errors.asDiagonal() * solver.eigenvectors() *
               solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  return group;
}

Result<std::vector<Together>> groups_of(SensorModel& model) {
  auto left = uncertain_parameters(model);
  if (left.empty())
    return fail(ErrorCode::kUnidentifiable,
                "no parameter of the model has a standard error to draw it by");
  std::vector<Together> groups;
  for (const auto& block : model.covariance) {
    auto group = together(block, left);
    if (!group) return fail(group.error());
    if (!group->parameters.empty()) groups.push_back(std::move(*group));
  }
  for (const auto& [path, parameter] : left)
    groups.push_back(
        {path, {parameter}, {*parameter->value}, Eigen::MatrixXd::Constant(1, 1, *parameter->std)});
  return groups;
}

/// Whether every parameter kept its sign.
bool draw(const Together& group, RandomSource& random) {
  Eigen::VectorXd normal(static_cast<Eigen::Index>(group.parameters.size()));
  for (auto& one : normal) one = random.normal();
  const Eigen::VectorXd off = group.root * normal;
  bool sound = true;
  for (std::size_t i = 0; i < group.parameters.size(); ++i) {
    const double value = group.means[i] + off[static_cast<Eigen::Index>(i)];
    group.parameters[i]->value = value;
    sound = sound && (group.means[i] == 0 || value * group.means[i] > 0);
  }
  return sound;
}

bool draw_soundly(const Together& group, RandomSource& random) {
  for (int tries = 0; tries < kMostTries; ++tries)
    if (draw(group, random)) return true;
  return false;
}

void follow_contact(const Friction& fitted, Friction& drawn, const std::string& what) {
  for (const auto& [path, number] : kFriction) {
    if (!follows_contact(fitted, number)) continue;
    auto& own = drawn.*number;
    own.value =
        *(fitted.*number).value * *(drawn.contact.*number).value / *(fitted.contact.*number).value;
    own.from = (fitted.*number).from + ", " + what;
  }
}

bool sticks_more(const Friction& friction) {
  return friction.mu_s.value.value_or(0) >= friction.mu_d.value.value_or(0);
}

}  // namespace

Result<SensorModel> redrawn_model(const SensorModel& model, int number, const std::string& what,
                                  RandomSource& random) {
  auto drawn = model;
  const auto groups = groups_of(drawn);
  if (!groups) return fail(groups.error());
  for (int tries = 1;; ++tries) {
    for (const auto& group : *groups)
      if (!draw_soundly(group, random))
        return fail(ErrorCode::kUnidentifiable,
                    "{}: no sound value in {} draws: its error is larger than it is", group.first,
                    kMostTries);
    follow_contact(model.friction, drawn.friction, what);
    if (!sticks_more(model.friction) || sticks_more(drawn.friction)) break;
    if (tries == kMostTries)
      return fail(ErrorCode::kUnidentifiable, "friction.mu_s: below friction.mu_d in {} draws",
                  kMostTries);
  }
  for (const auto& group : *groups)
    for (auto* parameter : group.parameters)
      parameter->from += (parameter->from.empty() ? "" : ", ") + what;
  drawn.serial += fmt::format("{}draw {}", drawn.serial.empty() ? "" : " ", number);
  drawn.provenance.options["draw"] =
      fmt::format("{}, from the model with sha256 {}", what, model_hash(model));
  return drawn;
}

}  // namespace tactelier
