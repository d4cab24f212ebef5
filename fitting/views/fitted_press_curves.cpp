#include "fitting/views/fitted_press_curves.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/contact/contact.hpp"
#include "fitting/stiffness/stiffness_branch.hpp"
#include "fitting/views/preparation.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier {
namespace {

constexpr int kCurvePoints = 120;
constexpr double kMargin = 0.3;  // of the fitted range, shown of the way before it

/// The one press with its contact found.
Result<FitContext> context_of(const FitSession& session, const SessionClocks& clocks, int number,
                              const Job& job) {
  const auto found = std::find_if(session.presses.begin(), session.presses.end(),
                                  [=](const Press& press) { return press.number == number; });
  if (found == session.presses.end())
    return fail(ErrorCode::kUsage, "there is no press {}", number);
  FitContext context;
  context.sessions.push_back({session.session, {*found}, {}});
  context.sessions[0].presses[0].excluded = false;  // one may look at what was left out
  context.model = empty_model(session.session->metadata().sensor);
  context.job = job;
  context.clocks.push_back(clocks);
  if (const auto done = find_contacts(context); !done) return fail(done.error());
  return context;
}

/// Depth of every row, from first touch where that is known; else travel. The rig's bending is
/// taken out.
std::vector<double> depth_or_travel(const FitContext& context, const PressData& data) {
  const auto& contact = context.contacts[0];
  if (contact.ok) return depth_m(context, contact, data);
  auto force_N = data.force_N;
  for (double& force : force_N) force -= contact.force_bias_N;
  return tip_travel_m(context.compliance[0], data.travel_m, force_N);
}

std::vector<DepthForce> rows(const std::vector<double>& depth_m, const PressData& data,
                             double bias_N, std::size_t from, std::size_t to) {
  std::vector<DepthForce> points;
  for (auto i = from; i < to; ++i) points.push_back({depth_m[i], data.force_N[i] - bias_N});
  return points;
}

Result<void> check_streams(const PressData& data) {
  if (!data.has_force()) return fail(ErrorCode::kUnidentifiable, "This recording holds no force.");
  if (!data.has_travel())
    return fail(ErrorCode::kUnidentifiable, "This recording holds no stage position.");
  return {};
}

void add_fit(const ContactFinding& finding, ContactCurve& curve) {
  if (!finding.fit) return;
  const auto& fit = *finding.fit;
  const double from_m = finding.fit_from_m - fit.z0_m;
  const double to_m = finding.fit_to_m - fit.z0_m;
  const auto force_N = [&](double depth_m) {
    return fit.bias_N - finding.contact.force_bias_N +
           (depth_m > 0 ? fit.k * std::pow(depth_m, fit.n) : 0.0);
  };
  for (int i = 0; i <= kCurvePoints; ++i) {
    const double depth_m = from_m + (to_m - from_m) * i / kCurvePoints;
    curve.fitted.push_back({depth_m, force_N(depth_m)});
  }
  for (const auto& [depth_m, measured_N] : curve.loading)
    if (depth_m >= from_m && depth_m <= to_m)
      curve.residuals.push_back({depth_m, measured_N - force_N(depth_m)});
}

}  // namespace

Result<ContactCurve> contact_curve(const FitSession& session, const SessionClocks& clocks,
                                   int press, const Job& job) {
  const auto context = context_of(session, clocks, press, job);
  if (!context) return fail(context.error());
  const auto data = load_press(*context, 0, 0, {}, PressBase::kForce);
  if (!data) return fail(data.error());
  if (const auto there = check_streams(*data); !there) return fail(there.error());
  const auto finding = analyse_contact(*data, contact_settings(*context, 0, 0));
  const auto& contact = context->contacts[0];
  const auto depth = depth_or_travel(*context, *data);
  ContactCurve curve;
  curve.press = press;
  curve.from_contact = contact.ok;
  curve.by_hand = context->sessions[0].presses[0].contact_s.has_value();
  if (contact.ok) curve.u_z0_m = contact.u_z0_m;
  if (!contact.ok) curve.no_contact = contact.reason;
  curve.noise_N = contact.sigma_force_N;
  curve.loading = rows(depth, *data, contact.force_bias_N, 0, data->loading_rows());
  curve.unloading = rows(depth, *data, contact.force_bias_N, data->peak, data->rows());
  if (contact.ok) add_fit(finding, curve);
  if (!curve.fitted.empty()) {
    // Long waits in free air would squeeze what matters to the right edge.
    const double begin_m = curve.fitted.front()[0] * (1 + kMargin);
    const auto before = [begin_m](const DepthForce& point) { return point[0] < begin_m; };
    std::erase_if(curve.loading, before);
    std::erase_if(curve.unloading, before);
  }
  return curve;
}

Result<StiffnessCurve> stiffness_curve(const FitSession& session, const SessionClocks& clocks,
                                       int number, const Job& job) {
  const auto context = context_of(session, clocks, number, job);
  if (!context) return fail(context.error());
  const auto data = load_press(*context, 0, 0, {});
  if (!data) return fail(data.error());
  if (const auto there = check_streams(*data); !there) return fail(there.error());
  const auto& press = context->sessions[0].presses[0];
  const auto& contact = context->contacts[0];
  const double bias_N = contact.ok || contact.tared ? contact.force_bias_N : 0;
  const auto depth = depth_or_travel(*context, *data);
  const auto branch = loading_branch(*data, press, depth, bias_N, contact.ok);
  StiffnessCurve curve;
  curve.press = number;
  curve.from_contact = contact.ok;
  if (!contact.ok) curve.no_contact = contact.reason;
  const auto loading =
      fit_loading(branch, contact.ok ? contact.u_z0_m : 0, context->model.sensor.thickness_m);
  for (std::size_t i = 0; i < branch.depth_m.size(); ++i) {
    if (branch.from_contact && branch.depth_m[i] <= 0) continue;
    curve.readings.push_back({branch.depth_m[i], branch.force_N[i]});
    if (loading)
      curve.residuals.push_back(
          {branch.depth_m[i], loading->line.residual(branch.depth_m[i], branch.force_N[i])});
  }
  if (loading) {
    curve.loading = *loading;
    curve.linear_to_m = check_linearity(branch).linear_to_m;
  } else {
    curve.no_loading = loading.error().message;
  }
  const auto start = unloading_start(*data, press);
  curve.unloading = rows(depth, *data, bias_N, start, data->rows());
  std::vector<double> force_N;
  for (const auto& point : curve.unloading) force_N.push_back(point[1]);
  const auto unloading_fit = fit_unloading({std::span(depth).subspan(start), force_N});
  if (unloading_fit)
    curve.unloading_fit = *unloading_fit;
  else
    curve.no_unloading = unloading_fit.error().message;
  return curve;
}

}  // namespace tactelier
