#include "fitting/refresh/gain_changes.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fitting/psf/psf_data.hpp"
#include "fitting/psf/psf_evaluate.hpp"
#include "fitting/recording/force_certificate.hpp"
#include "fitting/statistics/robust.hpp"
#include "libcalib/models/psf.hpp"

namespace tactelier::refresh {
namespace {

using Eigen::Index;

// What is known before anything is pressed, standard; relative but for places.
constexpr double kQuiet = 0.005;  // of a gain that nothing happened to
constexpr double kMoved = 0.3;    // of one that moved
constexpr double kDegrees = 2;    // of Student's t between the two
constexpr double kShift_pitch = 0.2;
constexpr double kTurn_rad = 0.02;
constexpr double kPlay_m = 30e-6;    // of the stage, along x and y
constexpr double kThreshold = 0.05;  // of a threshold, beyond what the model says
// What the model's spread leaves in a share, of the force, beside what presses scatter by.
constexpr double kTails = 1e-3;  // that spreads twice as wide (psf_tails())
constexpr double kSamePlace_m = 0.1e-3;
constexpr double kShareError = 5e-4, kOfTails = 0.03;  // in a share, of the force and of that
constexpr double kOwnOfWhole = 0.25;                   // of what presses scatter by as wholes
constexpr double kLeastOwn = 0.002;                    // of one tactel in one press
constexpr double kLeastScale = 0.002;                  // of a press
constexpr double kThresholdScatter = 2;                // of a threshold over that of a reading
constexpr int kTurns = 40, kScatterTurns = 3;
constexpr double kBelieved = 40;  // groups that the scatter believed beforehand counts as
constexpr double kDone = 1e-6;
constexpr double kNoisy = 4;     // times the noise that the model says
constexpr double kFarthest = 1;  // of a logarithm in one step

double square(double value) { return value * value; }

double figure(const SensorModel& model, const std::string& name) {
  const auto psf = model.quality.find("psf");
  if (psf == model.quality.end()) return 0;
  const auto found = psf->second.figures.find(name);
  return found == psf->second.figures.end() ? 0 : found->second;
}

/// Standard and relative; of a number without an interval nothing.
double relative_u(const Parameter& parameter) {
  if (!parameter.value || *parameter.value == 0) return 0;
  if (parameter.std) return *parameter.std / std::abs(*parameter.value);
  if (parameter.ci95)
    return ((*parameter.ci95)[1] - (*parameter.ci95)[0]) / 4 / std::abs(*parameter.value);
  return 0;
}

bool known(const TactelResponse& tactel) {
  return tactel.gain.identified() && *tactel.gain.value != 0 && tactel.threshold.usable();
}

/// What readings are measured against, where a few presses don't tell it; creep, where the model's
/// gains are free of it.
void take_over(const SensorModel& earlier, FitContext& context) {
  auto& now = context.model.response.tactels;
  std::vector<double> creeps;
  for (std::size_t t = 0; t < now.size() && t < earlier.response.tactels.size(); ++t) {
    const auto& then = earlier.response.tactels[t];
    if (!now[t].saturation.value) now[t].saturation = then.saturation;
    if (then.creep.identified() && then.creep.from == "response")
      creeps.push_back(*then.creep.value / 100);
  }
  if (!creeps.empty()) context.reading_creep = ReadingCreep{median(creeps), 0, {}, {}, 0};
}

/// Where a tactel that had a gain reads otherwise than it did, whatever is pressed.
void note_broken(const SensorModel& earlier, const SensorModel& now, TactelChange& change) {
  const auto& then = earlier.response.tactels[static_cast<std::size_t>(change.tactel)];
  const auto& own = now.response.tactels[static_cast<std::size_t>(change.tactel)];
  if (own.status == TactelStatus::kDead || own.status == TactelStatus::kStuck) {
    change.broken = own.press_gain.reason;
    change.silent = true;
  } else if (own.noise.value && then.noise.value && *own.noise.value > kNoisy * *then.noise.value)
    change.broken =
        fmt::format("RF-05 Tactel {} reads with a noise of {:.2g} counts where it had {:.2g}",
                    change.tactel, *own.noise.value, *then.noise.value);
}

LogSpread spread_of(const Psf& psf) {
  if (psf.sigma_x.usable() && psf.sigma_y.usable() && *psf.sigma_x.value != *psf.sigma_y.value) {
    const double m = std::log(*psf.sigma_x.value * *psf.sigma_y.value);
    const double e = std::log(*psf.sigma_x.value / *psf.sigma_y.value);
    const double theta = psf.theta.value.value_or(0);
    return {m, e * std::cos(2 * theta), e * std::sin(2 * theta)};
  }
  return {2 * std::log(psf.sigma.value.value_or(*psf.sigma_x.value)), 0, 0};
}

/// One tactel in one press, its own scatter taken as unknown: information and score by slope,
/// intercept and share.
struct Group {
  Eigen::Matrix3d information;
  Eigen::Vector3d score;
  Eigen::Vector3d share_by = Eigen::Vector3d::Zero();  // how the share that it reads would follow
  double share_off = 0, share_variance = 0;            // that share from the model's
};

Group scattered(const PsfGroupSums& sums, double u_intercept, double u_share) {
  Eigen::Matrix<double, 3, 2> free = Eigen::Matrix<double, 3, 2>::Zero();
  free(1, 0) = u_intercept;
  free(2, 1) = u_share;
  const Eigen::Matrix<double, 3, 2> seen = sums.information * free;
  const Eigen::Matrix2d inner = (Eigen::Matrix2d::Identity() + free.transpose() * seen).inverse();
  Group group{sums.information - seen * inner * seen.transpose(),
              sums.score - seen * inner * (free.transpose() * sums.score)};
  const double information = sums.information(2, 2);
  if (!(information > 0)) return group;
  group.share_by = sums.information.row(2).transpose() / information;
  group.share_off = sums.score(2) / information;
  group.share_variance =
      1 / information + square(u_share) + square(group.share_by(1) * u_intercept);
  return group;
}

class Estimation {
 public:
  /// `force_gain_u`: of the force sensor's certificate, a share, standard.
  Estimation(const SensorModel& earlier, PsfData data, double force_gain_u)
      : earlier_(earlier), data_(std::move(data)), force_gain_u_(force_gain_u) {
    model_.form = psf_form(earlier.psf.form);
    if (earlier.psf.edge == to_string(PsfEdge::kRenormalised)) model_.edge = PsfEdge::kRenormalised;
    auto& problem = data_.problem;
    state_.spread = spread_of(earlier.psf);
    if (state_.spread.e1 != 0 || state_.spread.e2 != 0) model_.shape = PsfShape::kAnisotropic;
    state_.ghosting = figure(earlier, "ghosting_percent") / 100;
    model_.ghosting = true;
    const double whole = figure(earlier, "scatter_of_whole_presses_percent") / 100;
    const double all = figure(earlier, "scatter_between_presses_percent") / 100;
    own_scatter_ = std::max(
        {kLeastOwn, kOwnOfWhole * whole, std::sqrt(std::max(0.0, all * all - whole * whole))});
    share_error_ = std::max(kShareError, kOfTails * std::abs(figure(earlier, "tail_share")));
    problem.press_scatter = std::max(kLeastScale, whole);
    state_.log_scale.assign(problem.presses.size(), 0.0);
    state_.frames.resize(problem.frames);
    for (const auto& press : problem.presses) places_m_.push_back({press.x_m, press.y_m});
    for (const auto& place : places_m_)
      at_place_.push_back(static_cast<double>(
          std::count_if(places_m_.begin(), places_m_.end(), [&](const auto& other) {
            return std::hypot(other[0] - place[0], other[1] - place[1]) < kSamePlace_m;
          })));
    keep_known();
    slopes_.resize(problem.tactels.size());
    thresholds_N_.resize(problem.tactels.size());
    for (std::size_t t = 0; t < problem.tactels.size(); ++t) {
      const auto& then = of(t);
      slopes_[t] = 1 / std::abs(*then.gain.value);
      thresholds_N_[t] = std::max(0.0, *then.threshold.value);
    }
    shared_ = psf_columns(model_, problem.frames);
    const auto presses = static_cast<Index>(problem.presses.size());
    const auto tactels = static_cast<Index>(problem.tactels.size());
    first_play_ = 1 + shared_.count;
    tail_ = first_play_ + 2;
    first_scale_ = tail_ + 1;
    first_own_ = first_scale_ + presses;
    first_threshold_ = first_own_ + tactels;
    theta_ = Eigen::VectorXd::Zero(first_threshold_ + tactels);
    set_priors();
  }

  bool empty() const { return data_.problem.tactels.empty(); }

  GainChanges find(const ChangeSettings& settings) {
    settle(true);
    for (int turn = 0; turn < kScatterTurns; ++turn) {
      // What these presses scatter by, beside what the model has them scatter by. What the spread
      // leaves in shares scatters in no press.
      const double off = (kBelieved + z2_ * off_) / (kBelieved + dof_);
      own_scatter_ *= std::sqrt(off / off_);
      off_ = off;
      settle(true);
    }
    mark(settings);
    settle(false);
    auto changes = report(settings);
    note_silent(changes);
    return changes;
  }

 private:
  const TactelResponse& of(std::size_t t) const {
    return earlier_.response.tactels[static_cast<std::size_t>(data_.problem.tactels[t].index)];
  }

  /// Tactels without a gain in the model say nothing of a change.
  void keep_known() {
    auto& tactels = data_.problem.tactels;
    std::size_t kept = 0;
    for (std::size_t t = 0; t < tactels.size(); ++t) {
      if (!known(of(t))) continue;
      if (kept != t) {
        tactels[kept] = std::move(tactels[t]);
        data_.noise[kept] = std::move(data_.noise[t]);
      }
      ++kept;
    }
    tactels.resize(kept);
    data_.noise.resize(kept);
  }

  void set_priors() {
    variance_ = Eigen::VectorXd::Zero(theta_.size());
    variance_[0] = square(kMoved);
    const double u_sigma =
        std::max(relative_u(earlier_.psf.sigma), relative_u(earlier_.psf.sigma_x));
    variance_[1 + shared_.spread] = square(2 * std::max(0.002, u_sigma));
    for (int k = shared_.spread + 1; k < shared_.first_frame; ++k) variance_[1 + k] = square(0.02);
    const double shift_m = kShift_pitch * data_.problem.layout.pitch_m();
    for (std::uint32_t f = 0; f < data_.problem.frames; ++f) {
      const auto at = 1 + shared_.first_frame + static_cast<int>(f) * shared_.per_frame;
      variance_[at] = variance_[at + 1] = square(shift_m);
      variance_[at + 2] = square(kTurn_rad);
    }
    variance_[first_play_] = variance_[first_play_ + 1] = square(kPlay_m);
    variance_[tail_] = square(std::max(kTails, std::abs(figure(earlier_, "tail_share"))));
    variance_[1 + shared_.ghosting] =
        square(std::max(1e-3, figure(earlier_, "ghosting_percent_std") / 100));
    variance_.segment(first_scale_, first_own_ - first_scale_)
        .setConstant(square(data_.problem.press_scatter));
    quiet_.resize(data_.problem.tactels.size());
    for (std::size_t t = 0; t < quiet_.size(); ++t) {
      quiet_[t] = square(kQuiet) + square(relative_u(of(t).gain));
      variance_[own(t)] = square(kMoved);
      variance_[threshold(t)] = square(std::hypot(kThreshold, relative_u(of(t).threshold)));
    }
  }

  Index own(std::size_t t) const { return first_own_ + static_cast<Index>(t); }
  Index threshold(std::size_t t) const { return first_threshold_ + static_cast<Index>(t); }

  /// The state that theta_ stands for.
  void apply() {
    auto spread = spread_of(earlier_.psf);
    state_.spread = spread;
    state_.spread.m += theta_[1 + shared_.spread];
    if (model_.shape == PsfShape::kAnisotropic) {
      state_.spread.e1 += theta_[2];
      state_.spread.e2 += theta_[3];
    }
    for (std::size_t f = 0; f < state_.frames.size(); ++f) {
      const auto at = 1 + shared_.first_frame + static_cast<int>(f) * shared_.per_frame;
      state_.frames[f] = {theta_[at], theta_[at + 1], theta_[at + 2]};
    }
    state_.ghosting = figure(earlier_, "ghosting_percent") / 100 + theta_[1 + shared_.ghosting];
    for (std::size_t p = 0; p < state_.log_scale.size(); ++p)
      state_.log_scale[p] = theta_[first_scale_ + static_cast<Index>(p)];
    state_.slope.resize(slopes_.size());
    state_.intercept.resize(slopes_.size());
    for (std::size_t t = 0; t < slopes_.size(); ++t) {
      // A gain is newtons over counts.
      state_.slope[t] = slopes_[t] * std::exp(-theta_[0] - theta_[own(t)]);
      state_.intercept[t] = state_.slope[t] * thresholds_N_[t] * std::exp(theta_[threshold(t)]);
    }
  }

  /// Gauss and Newton's matrix and score at theta_.
  void evaluate() {
    apply();
    auto& problem = data_.problem;
    for (std::size_t p = 0; p < problem.presses.size(); ++p) {
      auto& press = problem.presses[p];
      press.x_m = places_m_[p][0] + (press.came_against[0] ? theta_[first_play_] : 0);
      press.y_m = places_m_[p][1] + (press.came_against[1] ? theta_[first_play_ + 1] : 0);
    }
    const auto shares = psf_shares(problem, model_, state_, true);
    auto wide = state_;
    wide.spread.m += 2 * std::log(2.0);
    const auto wider = psf_shares(problem, model_, wide, false);
    reweight(data_, state_, shares.value, 0);
    matrix_ = variance_.cwiseInverse().asDiagonal();
    score_ = -theta_.cwiseQuotient(variance_);
    looks_.clear();
    for (std::size_t t = 0; t < problem.tactels.size(); ++t)
      for (const auto& group : problem.tactels[t].groups) add(t, group, shares, wider);
  }

  void add(std::size_t t, const PsfGroup& group, const PsfShares& shares, const PsfShares& wider) {
    const auto& tactel = data_.problem.tactels[t];
    const auto index = static_cast<std::size_t>(tactel.index);
    const double tails = wider.at(group.press, index) - shares.at(group.press, index);
    const double share = shares.at(group.press, index) + theta_[tail_] * tails;
    const double slope = state_.slope[t], intercept = state_.intercept[t];
    const auto sums = psf_group_sums(tactel, group, slope, intercept, share);
    if (!(sums.information(2, 2) > 0)) return;
    const auto said = scattered(
        sums, kThresholdScatter * own_scatter_ * intercept,
        std::hypot(own_scatter_ * share, share_error_ * std::sqrt(at_place_[group.press])));
    // Columns that this group speaks of, and slope, intercept and share by them.
    std::vector<Index> columns{0, own(t), threshold(t),
                               first_scale_ + static_cast<Index>(group.press), tail_};
    Eigen::Matrix<double, 3, Eigen::Dynamic> by(3, 7 + shares.columns);
    by.setZero();
    by.col(0) = by.col(1) = Eigen::Vector3d(-slope, -intercept, 0);
    by(1, 2) = intercept;
    by(2, 3) = share;
    by(2, 4) = tails;
    const double* shared = shares.slope(group.press, index);
    for (int k = 0; k < shares.columns; ++k) {
      columns.push_back(1 + k);
      by(2, 5 + k) = shared[k];
    }
    const auto& press = data_.problem.presses[group.press];
    const int shift = shared_.first_frame + static_cast<int>(press.frame) * shared_.per_frame;
    for (int axis = 0; axis < 2; ++axis) {
      columns.push_back(first_play_ + axis);
      if (press.came_against.at(static_cast<std::size_t>(axis)))
        by(2, 5 + shares.columns + axis) = shared[shift + axis];
    }
    looks_.push_back(
        {columns, by.transpose() * said.share_by, said.share_off, said.share_variance});
    const Eigen::MatrixXd information = by.transpose() * said.information * by;
    const Eigen::VectorXd score = by.transpose() * said.score;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      score_[columns[i]] += score[static_cast<Index>(i)];
      for (std::size_t k = 0; k < columns.size(); ++k)
        matrix_(columns[i], columns[k]) +=
            information(static_cast<Index>(i), static_cast<Index>(k));
    }
  }

  /// To the maximum; `student`: priors of changes follow from what is found.
  void settle(bool student) {
    for (int turn = 0; turn < kTurns; ++turn) {
      evaluate();
      const Eigen::LDLT<Eigen::MatrixXd> factor(matrix_);
      Eigen::VectorXd step = factor.solve(score_);
      const double farthest = step.cwiseAbs().maxCoeff();
      if (farthest > kFarthest) step *= kFarthest / farthest;
      theta_ += step;
      covariance_ = factor.solve(Eigen::MatrixXd::Identity(theta_.size(), theta_.size()));
      double moved = 0;
      if (student) {
        const auto follow = [&](Index column, double quiet) {
          const double before = variance_[column];
          variance_[column] =
              (kDegrees * quiet + square(theta_[column]) + covariance_(column, column)) /
              (kDegrees + 1);
          moved = std::max(moved, std::abs(std::log(variance_[column] / before)));
        };
        follow(0, square(kQuiet));
        for (std::size_t t = 0; t < quiet_.size(); ++t) follow(own(t), quiet_[t]);
      }
      if (farthest < kDone && moved < 1e-3) break;
    }
    evaluate();
    covariance_ = matrix_.ldlt().solve(Eigen::MatrixXd::Identity(theta_.size(), theta_.size()));
    count();
  }

  /// What shares are off by, over what they scatter by, and how much of that the parameters have
  /// left to be seen.
  void count() {
    z2_ = dof_ = 0;
    for (const auto& look : looks_) {
      const auto leaned = look.by.dot(covariance_(look.columns, look.columns) * look.by);
      z2_ += square(look.off) / look.variance;
      dof_ += std::max(0.0, 1 - leaned / look.variance);
    }
  }
  double chi2_per_dof() const { return dof_ > 1 ? z2_ / dof_ : 1; }
  double widened() const { return std::sqrt(std::max(1.0, chi2_per_dof())); }
  double u_of(Index column) const { return widened() * std::sqrt(covariance_(column, column)); }
  double u_by_presses(std::size_t t) const {
    const double left = 1 / covariance_(own(t), own(t)) - 1 / variance_[own(t)];
    const double least = 1e-9 / variance_[own(t)];
    return left > least ? widened() / std::sqrt(left) : std::numeric_limits<double>::infinity();
  }
  bool clear(double log_ratio, double u, double tolerance) const {
    return std::abs(log_ratio) > std::log1p(tolerance) && std::abs(log_ratio) > kClearChange * u;
  }
  /// Of tactel t on its own, smaller by what all seem to have changed by where that is not clear.
  double least_own(std::size_t t) const {
    const double alone = theta_[own(t)];
    const double whole = alone + theta_[0];
    return all_changed_ || std::abs(alone) < std::abs(whole) ? alone : whole;
  }

  /// What has moved clearly says so by itself: its prior is wide, so that it doesn't draw it back.
  void mark(const ChangeSettings& settings) {
    all_changed_ = clear(theta_[0], std::hypot(u_of(0), force_gain_u_), settings.tolerance);
    if (all_changed_) variance_[0] = square(kMoved);
    changed_.assign(quiet_.size(), false);
    for (std::size_t t = 0; t < quiet_.size(); ++t) {
      changed_[t] = clear(least_own(t), u_of(own(t)), settings.tolerance);
      if (changed_[t]) variance_[own(t)] = square(kMoved);
    }
  }

  /// Who did not answer to presses that the model has it read clearly is broken, whatever its own
  /// readings look like.
  void note_silent(GainChanges& changes) const {
    constexpr double kClear = 10;  // noises of a reading
    constexpr int kEnough = 2;     // presses
    const auto shares = psf_shares(data_.problem, model_, state_, false);
    for (auto& change : changes.tactels) {
      if (std::isfinite(change.u_by_presses)) continue;
      const auto index = static_cast<std::size_t>(change.tactel);
      const auto& then = earlier_.response.tactels[index];
      int missed = 0;
      for (std::size_t p = 0; p < data_.problem.presses.size(); ++p) {
        const double load_N = shares.at(p, index) * data_.problem.presses[p].peak_N;
        const double counts =
            (load_N - std::max(0.0, *then.threshold.value)) / std::abs(*then.gain.value);
        missed += counts > kClear * then.noise.value.value_or(1) ? 1 : 0;
      }
      if (missed < kEnough) continue;
      change.broken = fmt::format("RF-06 Tactel {} did not answer to {} presses beside or on it",
                                  change.tactel, missed);
      change.silent = true;
    }
  }

  GainChanges report(const ChangeSettings& settings) const {
    GainChanges changes;
    changes.log_common = theta_[0];
    changes.u_common = u_of(0);
    changes.all_changed = all_changed_;
    changes.presses = data_.problem.presses.size();
    changes.chi2_per_dof = chi2_per_dof();
    for (std::size_t i = 0; i < earlier_.response.tactels.size(); ++i) {
      const auto& then = earlier_.response.tactels[i];
      if (!known(then)) continue;
      TactelChange change;
      change.tactel = then.index;
      change.u_own = std::sqrt(square(kQuiet) + square(relative_u(then.gain)));
      change.log_ratio = all_changed_ ? theta_[0] : 0;
      change.u_ratio = all_changed_ ? std::hypot(change.u_own, changes.u_common) : change.u_own;
      change.u_by_presses = std::numeric_limits<double>::infinity();
      changes.tactels.push_back(change);
    }
    for (std::size_t t = 0; t < quiet_.size(); ++t) {
      const int index = data_.problem.tactels[t].index;
      auto& change = *std::find_if(changes.tactels.begin(), changes.tactels.end(),
                                   [&](const auto& one) { return one.tactel == index; });
      change.log_own = theta_[own(t)];
      change.u_own = u_of(own(t));
      change.log_ratio = theta_[own(t)] + (all_changed_ ? theta_[0] : 0);
      const double together =
          covariance_(0, 0) + 2 * covariance_(0, own(t)) + covariance_(own(t), own(t));
      change.u_ratio = all_changed_ ? widened() * std::sqrt(std::max(0.0, together)) : change.u_own;
      change.u_by_presses = u_by_presses(t);
      const double of_prior = covariance_(own(t), own(t)) / variance_[own(t)];
      change.by_presses = std::isfinite(change.u_by_presses) ? change.log_own / (1 - of_prior) : 0;
      change.changed = changed_[t];
      change.seen =
          change.changed ||
          std::abs(change.by_presses) + kBelowLeast * change.u_by_presses < settings.least;
    }
    return changes;
  }

  const SensorModel& earlier_;
  PsfData data_;
  PsfModel model_;
  PsfState state_;
  PsfColumns shared_;
  double own_scatter_ = 0, share_error_ = 0;
  double off_ = 1;                               // their square over what was believed
  std::vector<std::array<double, 2>> places_m_;  // of presses, without play
  std::vector<double> at_place_;                 // presses there: what the spread leaves in a share
                                                 // is the same in all of them
  double force_gain_u_ = 0;
  std::vector<double> slopes_, thresholds_N_;  // as the model has them
  std::vector<double> quiet_;                  // variances of changes where nothing happened
  Index first_play_ = 0, tail_ = 0, first_scale_ = 0, first_own_ = 0, first_threshold_ = 0;
  Eigen::VectorXd theta_, variance_,
      score_;  // of common, shared, play, tails, scales, own, thresholds
  Eigen::MatrixXd matrix_, covariance_;
  struct Look {
    std::vector<Index> columns;
    Eigen::VectorXd by;
    double off, variance;
  };
  std::vector<Look> looks_;  // the shares of all groups
  double z2_ = 0, dof_ = 0;
  bool all_changed_ = false;
  std::vector<bool> changed_;
};

template <class Wanted>
std::vector<int> those(const std::vector<TactelChange>& tactels, Wanted wanted) {
  std::vector<int> found;
  for (const auto& one : tactels)
    if (wanted(one)) found.push_back(one.tactel);
  return found;
}

}  // namespace

std::vector<int> GainChanges::changed() const {
  return those(tactels, [](const TactelChange& one) { return one.changed; });
}

std::vector<int> GainChanges::not_seen() const {
  return those(tactels, [](const TactelChange& one) { return !one.seen && one.broken.empty(); });
}

std::vector<int> GainChanges::broken() const {
  return those(tactels, [](const TactelChange& one) { return !one.broken.empty(); });
}

Result<GainChanges> gain_changes(FitContext context, const SensorModel& earlier,
                                 const ChangeSettings& settings) {
  if (!earlier.psf.sigma.usable() && !earlier.psf.sigma_x.usable())
    return fail(ErrorCode::kUnidentifiable, "{}", kNoSpread);
  take_over(earlier, context);
  auto data = load_psf_data(context);
  if (!data) return fail(data.error());
  Estimation estimation(earlier, std::move(*data), force_certificate(context).gain_share());
  if (estimation.empty())
    return fail(ErrorCode::kUnidentifiable,
                "RF-02 no tactel that the model knows a gain of answered to these presses: press "
                "on the array, harder");
  auto changes = estimation.find(settings);
  for (auto& change : changes.tactels) note_broken(earlier, context.model, change);
  return changes;
}

}  // namespace tactelier::refresh
