#include "fitting/contact/contact_press.hpp"

#include <algorithm>
#include <cmath>

#include "fitting/recording/contact_point.hpp"
#include "fitting/recording/sampling_gaps.hpp"
#include "fitting/statistics/criteria.hpp"
#include "fitting/statistics/identified.hpp"
#include "fitting/statistics/line_fit.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr double kGapPeriods = 10;  // fewer lost samples don't show in a press

constexpr double kStrainLimit = 0.25;    // of a known thickness: contact laws hold below
constexpr double kDepthShare = 0.3;      // of the press, where the thickness is unknown
constexpr std::size_t kMinRows = 20;     // in contact, whatever the depth
constexpr std::size_t kGroups = 300;     // rows are averaged to about as many
constexpr double kExponentFactor = 10;   // range of depths that lets the exponent be fitted
constexpr double kExponentEvidence = 6;  // BIC by which the free exponent must win
constexpr double kSideLoad = 0.2;        // FT-05
constexpr double kFirstStep = 0.2;       // RC-05: share of the peak in the first loaded sample

struct MeanSd {
  double mean = 0;
  double sd = 0;
};

MeanSd mean_sd(std::span<const double> values) {
  MeanSd result;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / n;
  for (const double v : values) result.sd += (v - result.mean) * (v - result.mean);
  result.sd = values.size() > 1 ? std::sqrt(result.sd / (n - 1)) : 0;
  return result;
}

class Analysis {
 public:
  Analysis(const PressData& data, const ContactSettings& settings) : d_(data), s_(settings) {}

  ContactFinding run() {
    out_.verdict = "good";
    out_.point = unidentifiable("m", "RC-01 no contact point", "contact");
    if (!d_.has_force())
      return unusable("NOT-FITTED there is no force stream: what pressed is unknown");
    if (d_.static_readings) return static_readings();
    if (s_.depth_from_contact && d_.has_travel())
      touch_where_depth_is_zero();
    else if (s_.contact_s)
      touch_by_hand();
    else if (const auto found = detect_touch(); !found)
      return unusable(found.error().message);
    tare();
    if (d_.has_travel() && !out_.contact.ok)
      if (const auto found = fit_touch(); !found) return unusable(found.error().message);
    if (!d_.has_travel())
      out_.contact.reason = "NOT-FITTED there is no stage stream: depth is unknown";
    if (!out_.contact.ok) out_.point = unidentifiable("m", out_.contact.reason, "contact");
    judge_gaps();
    judge_peak();
    judge_side_load();
    return std::move(out_);
  }

 private:
  ContactFinding unusable(const std::string& reason) {
    out_.verdict = "unusable";
    out_.why = reason;
    out_.contact.ok = false;
    out_.contact.reason = reason;
    out_.point = unidentifiable("m", reason, "contact");
    return std::move(out_);
  }

  void doubt(std::string code, const std::string& text) {
    out_.verdict = "doubtful";
    out_.why += (out_.why.empty() ? "" : "; ") + code + " " + text;
    out_.warnings.push_back({std::move(code), text, s_.where});
  }

  void judge_gaps() {
    double missing_s = 0, first_s = 0;
    for (std::size_t i = 1; i < d_.rows(); ++i) {
      if (!gap_before(d_.time_s, i, kGapPeriods)) continue;
      if (missing_s == 0) first_s = d_.time_s[i - 1];
      missing_s += d_.time_s[i] - d_.time_s[i - 1];
    }
    if (missing_s > 0)
      doubt("GAP", fmt::format("{:.3g} s are missing from {:.3f} s on: what happened there is not "
                               "interpolated.",
                               missing_s, first_s));
  }

  /// Readings at rest: no free air. Depths count only where the table says they start at touch.
  ContactFinding static_readings() {
    out_.peak_force_N = d_.force_N[d_.peak];
    if (!(*out_.peak_force_N > 0))
      return unusable("NO-CONTACT Its rows carry no force: they say what is read at rest");
    if (d_.has_travel() && s_.depth_from_contact) {
      assume_zero();
      out_.peak_depth_m = *std::max_element(d_.travel_m.begin(), d_.travel_m.end());
    } else {
      out_.contact.reason =
          "RC-01 Readings at rest hold no free air, so the contact point is unknown: record the "
          "approach, or give depths from contact (depth_reference \"contact\")";
      out_.point = unidentifiable("m", out_.contact.reason, "contact");
    }
    return std::move(out_);
  }

  void assume_zero() {
    std::vector<double> sorted = d_.travel_m;
    std::sort(sorted.begin(), sorted.end());
    double step = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const double difference = sorted[i] - sorted[i - 1];
      if (difference > 1e-12 && (step == 0 || difference < step)) step = difference;
    }
    out_.contact.ok = true;
    out_.contact.u_z0_m = u_resolution(step);
    out_.point = assumed(0, "m", "depth_reference contact");
    out_.point.std = out_.contact.u_z0_m;
  }

  void touch_where_depth_is_zero() {
    touch_ = 0;
    for (std::size_t i = 0; i <= d_.peak; ++i)
      if (d_.travel_m[i] <= 0) touch_ = i + 1;
    touch_ = std::min(touch_, d_.peak);
    out_.contact.time_s = d_.time_s[touch_];
    assume_zero();
  }

  void touch_by_hand() {
    const auto after = std::lower_bound(d_.time_s.begin(), d_.time_s.end(), *s_.contact_s);
    touch_ = std::min(static_cast<std::size_t>(after - d_.time_s.begin()), d_.rows() - 1);
    out_.contact.time_s = *s_.contact_s;
    if (!d_.has_travel()) return;
    const double around[] = {*s_.contact_s - 0.5 * d_.period_s, *s_.contact_s,
                             *s_.contact_s + 0.5 * d_.period_s};
    auto z = interpolate(d_.time_s, d_.travel_m, around, 1e300);
    for (double& value : z)
      if (std::isnan(value)) value = d_.travel_m[touch_];
    out_.contact.ok = true;
    out_.contact.z0_m = z[1];
    out_.contact.u_z0_m = u_resolution(std::abs(z[2] - z[0]));
    out_.point = assumed(z[1], "m", "contact point set by hand");
    out_.point.std = out_.contact.u_z0_m;
  }

  double mean_of_first() const {
    const auto n = std::min<std::size_t>(5, d_.rows());
    return mean_sd(std::span(d_.force_N).first(n)).mean;
  }

  /// The force is largest at the beginning and nearly gone later: nothing in it tells an inverted
  /// sign, or a tip that did not touch, from a recording that began under load.
  bool begins_under_load() const {
    constexpr double kLargest = 0.8, kGone = 0.2;  // of the largest
    const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const double most = std::abs(*std::max_element(d_.force_N.begin(), d_.force_N.end(), size));
    const double least = std::abs(*std::min_element(d_.force_N.begin(), d_.force_N.end(), size));
    return std::abs(mean_of_first()) > kLargest * most && least < kGone * most;
  }

  /// Whether the indenter goes back from where the record begins to where the force is least; empty
  /// without a stage.
  std::optional<bool> retracts_while_force_falls() const {
    if (!d_.has_travel()) return std::nullopt;
    const auto least = std::min_element(d_.force_N.begin(), d_.force_N.end());
    const auto row = static_cast<std::size_t>(least - d_.force_N.begin());
    return d_.travel_m[row] < d_.travel_m.front();
  }

  Error falls_from_its_start() const {
    const auto retracts = retracts_while_force_falls();
    if (begins_under_load())
      return {ErrorCode::kUnidentifiable,
              fmt::format("RC-05 The press begins too late: its first samples carry {:.3g} N and "
                          "the force only falls from there. Record free air before the touch",
                          std::abs(mean_of_first()))};
    if (retracts == true)
      return {ErrorCode::kUnidentifiable,
              "RC-05 The press begins too late: the force only falls, while the indenter goes "
              "back. Record free air before the touch"};
    if (retracts == false)
      return {ErrorCode::kUnidentifiable,
              "CV-01 Force falls while the indenter goes down: the F/T sign or the depth sign "
              "is inverted. Check force_sensor.press_axis"};
    return {ErrorCode::kUnidentifiable,
            "CV-01 The force only falls from where the press begins: the F/T sign is inverted "
            "(force_sensor.press_axis), or the press was recorded from under load on; without a "
            "stage's travel nothing tells which"};
  }

  Result<void> detect_touch() {
    const auto first_tenth = static_cast<std::size_t>(
        d_.period_s > 0 ? std::min(0.1 / d_.period_s, static_cast<double>(d_.rows()) / 4) : 0);
    const auto baseline = std::max(kBaselineSamples, first_tenth);
    const auto coarse = detect_contact(d_.force_N, baseline);
    if (!coarse) {
      std::vector<double> turned = d_.force_N;
      for (double& f : turned) f = -f;
      const bool falls =
          has_code(coarse.error().message, "NO-CONTACT") && detect_contact(turned, baseline);
      if (falls || begins_under_load()) return fail(falls_from_its_start());
      return fail(coarse.error());
    }
    touch_ = coarse->index;
    threshold_N_ = coarse->threshold_N - coarse->mean_N;
    out_.contact.time_s = d_.time_s[touch_];
    const double step = d_.force_N[touch_] - coarse->mean_N;
    const double peak = d_.force_N[d_.peak] - coarse->mean_N;
    if (step > kFirstStep * peak && step > 2 * threshold_N_)
      doubt("RC-05", fmt::format("Contact point not bracketed: first sample already carries {:.3g} "
                                 "N.",
                                 step));
    return {};
  }

  /// Bias and noise from free air before the touch, a tenth of it left out as a guard.
  void tare() {
    const std::size_t guard = std::max<std::size_t>(2, touch_ / 10);
    const std::size_t free = touch_ > guard ? touch_ - guard : 0;
    if (free < kBaselineSamples) {
      out_.warnings.push_back({"RC-01",
                               fmt::format("Fewer than {} free samples before contact: the force's "
                                           "bias is not removed.",
                                           kBaselineSamples),
                               s_.where});
      return;
    }
    const auto air = mean_sd(std::span(d_.force_N).first(free));
    out_.contact.tared = true;
    out_.contact.force_bias_N = air.mean;
    out_.contact.sigma_force_N = air.sd;
    free_rows_ = free;
  }

  std::vector<double> tip_travel() const {
    auto force_N = d_.force_N;
    for (double& force : force_N) force -= out_.contact.force_bias_N;
    return tip_travel_m(s_.compliance, d_.travel_m, force_N);
  }

  struct Part {
    std::vector<double> travel_m, force_N;
    std::size_t group = 1;
    double spacing_m = 0;  // median step in contact
  };

  /// The approach from as far before touch as it goes in after, up to the depth where contact laws
  /// still hold; averaged in groups.
  Part approach() {
    const auto z = tip_travel();
    const double deepest = z[d_.peak] - z[touch_];
    const double limit =
        s_.thickness_m ? std::min(kStrainLimit * *s_.thickness_m, deepest) : kDepthShare * deepest;
    std::size_t end = touch_;
    while (end < d_.peak && (z[end] - z[touch_] < limit || end - touch_ < kMinRows)) ++end;
    const double reach = std::max(z[end] - z[touch_], 1e-9);
    std::size_t begin = touch_;
    while (begin > 0 && (z[touch_] - z[begin - 1] < reach || touch_ - begin < kMinRows)) --begin;
    Part part;
    part.group = std::max<std::size_t>(1, (end + 1 - begin) / kGroups);
    for (std::size_t i = begin; i + part.group <= end + 1; i += part.group) {
      double travel = 0, force = 0;
      for (std::size_t k = i; k < i + part.group; ++k) {
        travel += z[k] / static_cast<double>(part.group);
        force += d_.force_N[k] / static_cast<double>(part.group);
      }
      part.travel_m.push_back(travel);
      part.force_N.push_back(force);
    }
    std::vector<double> steps;
    for (std::size_t i = 1; i < part.travel_m.size(); ++i)
      steps.push_back(std::abs(part.travel_m[i] - part.travel_m[i - 1]));
    part.spacing_m = std::max(median(steps), 1e-9);
    k_ = std::max((part.force_N.back() - out_.contact.force_bias_N) / reach, 1e-9);
    return part;
  }

  Result<ContactFit> fit_part(const Part& part, std::optional<double> exponent) const {
    const double z = tip_travel()[touch_];
    const double late = threshold_N_ / k_;
    double below = 5 * part.spacing_m + 3 * late;
    for (int widening = 0;; ++widening) {
      const ContactWindow window{z - below, z + 5 * part.spacing_m + late, 41};
      auto fit = fit_contact(part.travel_m, part.force_N, window, exponent);
      const bool edge = !fit && has_code(fit.error().message, "CONTACT-EDGE");
      if (!edge || widening == 3) return fit;
      below *= 3;
    }
  }

  Result<void> fit_touch() {
    const auto part = approach();
    out_.k_N_per_m = k_;
    out_.estimator = "fixed exponent";
    const auto exponent = contact_exponent(s_.indenter, s_.thickness_m);
    auto fit = fit_part(part, exponent.value_or(1.0));
    const double reach = part.travel_m.back() - tip_travel()[touch_];
    const double resolved = out_.contact.sigma_force_N / k_;
    if (reach > kExponentFactor * std::max(resolved, part.spacing_m)) {
      const auto free = fit_part(part, std::nullopt);
      if (free && (!fit || prefers_free(*fit, *free, part.force_N.size()))) {
        fit = free;
        out_.estimator = "free exponent";
      }
    }
    if (!fit) {
      if (has_code(fit.error().message, "CV-01") && !follows_depth()) return fail(fit.error());
      return touch_at_threshold();
    }
    out_.contact.ok = true;
    out_.contact.z0_m = fit->z0_m;
    out_.contact.u_z0_m = fit->u_z0_m;
    out_.rows_used = part.force_N.size();
    out_.sum_squares_N2 = 2 * fit->cost;
    out_.fit = *fit;
    out_.fit_from_m = part.travel_m.front();
    out_.fit_to_m = part.travel_m.back();
    const double dof = std::max(1.0, static_cast<double>(part.force_N.size()) - 4);
    out_.point = identified({fit->z0_m, fit->u_z0_m, dof}, "m", "contact");
    refine_time();
    return {};
  }

  /// CV-01's own test: force and travel go together while the indenter goes down.
  bool follows_depth() const {
    const auto line = fit_line(std::span(d_.travel_m).first(d_.peak + 1),
                               std::span(d_.force_N).first(d_.peak + 1));
    return line && line->slope > 0 && line->slope > 5 * line->u_slope;
  }

  /// Where no contact law can be fitted (few samples, much noise): the threshold's crossing, less
  /// half of what it comes late, which is then all that is known.
  Result<void> touch_at_threshold() {
    const double reach_m = tip_travel()[d_.peak] - tip_travel()[touch_];
    const double rise_N = d_.force_N[d_.peak] - out_.contact.force_bias_N;
    const double late_m = std::max(threshold_N_ / rise_N * reach_m, 1e-9);
    if (!(late_m < reach_m)) {
      out_.contact.reason =
          "RC-05 Contact point not bracketed: the press hardly rises above noise.";
      doubt("RC-05", "Contact point not bracketed: the press hardly rises above noise.");
      return {};
    }
    out_.contact.ok = true;
    out_.contact.z0_m = tip_travel()[touch_] - 0.5 * late_m;
    out_.contact.u_z0_m = u_rectangular(0.5 * late_m);
    out_.estimator = "threshold";
    out_.point = single_reading(out_.contact.z0_m, "m", "contact",
                                std::array{Component{"threshold", out_.contact.u_z0_m}});
    doubt("RC-05",
          "No contact law fits this press: its contact point is where force left the "
          "noise.");
    refine_time();
    return {};
  }

  static bool prefers_free(const ContactFit& fixed, const ContactFit& free, std::size_t rows) {
    const auto n = static_cast<double>(rows);
    return criteria(2 * free.cost, 4, n).bic + kExponentEvidence <
           criteria(2 * fixed.cost, 3, n).bic;
  }

  /// Time at which the tip passes z0, for later stages that sort samples by time.
  void refine_time() {
    std::size_t i = touch_;
    while (i > 0 && d_.travel_m[i - 1] > out_.contact.z0_m) --i;
    out_.contact.time_s = d_.time_s[i];
  }

  void judge_peak() {
    const double peak = d_.force_N[d_.peak] - out_.contact.force_bias_N;
    out_.peak_force_N = peak;
    if (!out_.contact.ok) return;
    const double bent = s_.compliance.deflection_m(peak);
    const double depth = d_.travel_m[d_.peak] - out_.contact.z0_m - bent;
    out_.peak_depth_m = depth;
    const double duration = d_.time_s[d_.peak] - out_.contact.time_s;
    if (duration > 0) out_.speed_m_per_s = depth / duration;
    if (bent > 0.5 * (depth + bent))
      doubt("RC-02", fmt::format("Frame {:.3g} N/mm against sensor {:.3g} N/mm: the correction "
                                 "exceeds half of the indentation; depth cannot be trusted.",
                                 1e-3 * peak / bent, 1e-3 * peak / std::max(depth, 1e-12)));
  }

  void judge_side_load() {
    if (d_.side_N[0].empty() || free_rows_ == 0) return;
    std::array<double, 2> bias{};
    for (std::size_t a = 0; a < 2; ++a)
      if (!d_.side_N[a].empty()) bias[a] = mean_sd(std::span(d_.side_N[a]).first(free_rows_)).mean;
    std::vector<double> ratios;
    for (std::size_t i = touch_; i < d_.rows(); ++i) {
      const double f = d_.force_N[i] - out_.contact.force_bias_N;
      if (f < 0.5 * *out_.peak_force_N) continue;
      const double x = d_.side_N[0][i] - bias[0];
      const double y = d_.side_N[1].empty() ? 0 : d_.side_N[1][i] - bias[1];
      ratios.push_back(std::hypot(x, y) / f);
    }
    const double ratio = ratios.empty() ? 0 : median(ratios);
    if (ratio > kSideLoad && ratio * *out_.peak_force_N > 5 * out_.contact.sigma_force_N)
      doubt("FT-05", fmt::format("Side load {:.0f} %: check alignment or slipping.", 100 * ratio));
  }

  const PressData& d_;
  const ContactSettings& s_;
  ContactFinding out_;
  std::size_t touch_ = 0;      // row of the first touch, roughly
  std::size_t free_rows_ = 0;  // rows of free air at the beginning
  double threshold_N_ = 0;     // of the coarse detector, above the bias
  double k_ = 1;               // N/m, roughly
};

}  // namespace

std::optional<double> contact_exponent(const std::optional<Indenter>& indenter,
                                       std::optional<double> thickness_m) {
  if (!indenter) return std::nullopt;
  switch (indenter->shape) {
    case IndenterShape::kCylinder:
    case IndenterShape::kHexagon:
    case IndenterShape::kBox:
    case IndenterShape::kEdge:
    case IndenterShape::kPlate:
      return 1.0;
    case IndenterShape::kSphere:
      return thickness_m && *thickness_m < indenter->diameter_m / 2 ? 2.0 : 1.5;
    case IndenterShape::kEllipsoid:
    case IndenterShape::kLyingCylinder:
      return 1.5;
    case IndenterShape::kWedge:
      return 2.0;
    case IndenterShape::kCompound:
    case IndenterShape::kMesh:
      return std::nullopt;
  }
  return std::nullopt;
}

ContactFinding analyse_contact(const PressData& data, const ContactSettings& settings) {
  return Analysis(data, settings).run();
}

}  // namespace tactelier
