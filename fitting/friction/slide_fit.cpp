#include "fitting/friction/slide_fit.hpp"

#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>

#include "fitting/friction/lugre_uncertainty.hpp"
#include "fitting/friction/slide_slopes.hpp"
#include "fitting/statistics/nonlinear.hpp"
#include "fitting/statistics/parallel.hpp"
#include "fitting/statistics/robust.hpp"

namespace tactelier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTolerance = 1e-7;
constexpr double kLeastFriction = 1e-3, kMostFriction = 10;
constexpr double kZeroFloor_N = 1e-3;  // no zero of a force is known better
constexpr double kSideFloor_N = 5e-3;
constexpr double kBlow = 8;                               // residuals over their usual size
constexpr std::size_t kBeforeBlow = 5, kBlowBlocks = 40;  // left out with it
constexpr double kMaxBlows = 0.03;                        // of all blocks
constexpr double kShortestRun = -6.9, kLongestRun = 0;    // running-in over 1 mm to 1 m, logarithms
constexpr double kMaxDelay_s = 0.02;
// Where steps ring: between what hardly follows and what is there at once.
constexpr double kLeastRing = 3, kMostRing = 6.7;  // logarithms of 20 and 800 Hz
constexpr double kMostRingDamping = 0.95;
constexpr double kFilter_s = 1e-3;  // standard: force sensors filter at 100 Hz or above
constexpr double kSecondSteps = 1;  // standard, in microsteps: a part of a full step's error
constexpr double kNoStep_m = 1e-6;
constexpr double kMostFalling = 0.5;        // of the spring's
constexpr double kMostSide_m_per_N = 1e-3;  // softer than any rig

bool sensible(std::span<const double> p) {
  const double mu_s = p[kSlideDynamic] + p[kSlideDrop];
  return p[kSlideDynamic] > kLeastFriction && mu_s > kLeastFriction && mu_s < kMostFriction &&
         p[kSlideRunningIn] > -0.9 && std::abs(p[kSlideDelay]) < kMaxDelay_s &&
         std::abs(p[kSlideLag]) < kMaxDelay_s && p[kSlideBacklash] >= 0 &&
         std::abs(p[kSlideLogStribeck]) < 15 && std::abs(p[kSlideLogSigma0]) < 20 &&
         p[kSlideLogLength] > kShortestRun && p[kSlideLogLength] < kLongestRun &&
         std::abs(p[kSlideExponent]) < 3;
}

bool rings(std::span<const double> p) {
  return p[kSlideLogRing] > kLeastRing && p[kSlideLogRing] < kMostRing &&
         p[kSlideRingDamping] > 0 && p[kSlideRingDamping] < kMostRingDamping;
}

/// Where the rig gives, a tick has one solution, and the next goes on from it, only if friction
/// rises with the touched point's speed or falls less than the spring does. Bristles that turn
/// back count sigma1 up to twice.
bool holds_in_series(const SlideSetting& setting, std::span<const double> p) {
  const double side = p[kSlideSide];
  const double rise = p[kSlideSigma1] + std::min(p[kSlideSigma1], 0.0) + p[kSlideViscous];
  return side >= 0 && side < kMostSide_m_per_N &&
         side * rise > -kMostFalling * slide_tick_s(setting);
}

bool sensible(const SlideSetting& setting, std::span<const double> p) {
  return sensible(p) && (setting.shape != StepShape::kRinging || rings(p)) &&
         holds_in_series(setting, p);
}

class SlideCost : public ceres::CostFunction {
 public:
  SlideCost(const SlideProblem& problem, const SlideSetting& setting, std::span<const int> held)
      : problem_(problem), setting_(setting), held_(held) {
    set_num_residuals(static_cast<int>(problem.residuals()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.size()));
  }

  bool Evaluate(const double* const* parameters, double* residuals,
                double** jacobians) const override {
    const std::span p(parameters[0], problem_.size());
    const std::span residuals_of(residuals, problem_.residuals());
    if (!jacobians || !jacobians[0]) return problem_.evaluate(setting_, p, residuals_of);
    return problem_.slopes(setting_, p, held_, residuals_of,
                           {jacobians[0], problem_.residuals() * problem_.size()});
  }

 private:
  const SlideProblem& problem_;
  SlideSetting setting_;
  std::span<const int> held_;
};

std::size_t side_column(std::size_t contact) { return kSlideShared + 2 * contact; }
std::size_t zero_column(std::size_t contact) { return kSlideShared + 2 * contact + 1; }

double side_u_N(const SlideContact& contact) { return std::max(kSideFloor_N, contact.u_side_N); }
double zero_u_N(const SlideContact& contact) { return std::max(kZeroFloor_N, contact.u_zero_N); }

}  // namespace

SlideProblem::SlideProblem(const SlideTracks& tracks, int threads)
    : tracks_(tracks),
      threads_(threads),
      blocks_(slide_blocks(tracks)),
      of_contact_(tracks.contacts.size()) {
  for (const auto& contact : tracks.contacts) {
    first_slide_.push_back(slides_);
    slides_ += contact.slides.size();
  }
  index_contacts();
}

void SlideProblem::index_contacts() {
  std::size_t at = 0;
  for (std::size_t c = 0; c < of_contact_.size(); ++c) {
    of_contact_[c].first = at;
    while (at < blocks_.size() && blocks_[at].contact == c) ++at;
    of_contact_[c].second = at;
  }
}

const TipTurns& SlideProblem::turns(const SlideSetting& setting) const {
  if (!turns_ || !turns_->same(setting)) turns_.emplace(tracks_, setting, threads_);
  return *turns_;
}

bool SlideProblem::evaluate(const SlideSetting& setting, std::span<const double> p,
                            std::span<double> residuals) const {
  if (!sensible(setting, p)) return false;
  const auto motions = turns(setting).motions(setting, p);
  const auto slid_m = slid_before_m(tracks_, motions);
  std::vector<double> means_N(blocks_.size()), late_s(slides_);
  parallel_for(threads_, of_contact_.size(), [&](std::size_t c) {
    const auto [first, end] = of_contact_[c];
    contact_means_N(
        tracks_.contacts[c], motions[c], slid_m[c], p[zero_column(c)], p[side_column(c)],
        tracks_.reference_N, setting, p, std::span(blocks_).subspan(first, end - first),
        std::span(means_N).subspan(first, end - first), std::span(late_s).subspan(first_slide_[c]));
  });
  return place_residuals(setting, p, means_N, late_s, residuals);
}

double SlideProblem::second_u_m() const {
  return kSecondSteps * (tracks_.step_m > 0 ? tracks_.step_m : kNoStep_m);
}

bool SlideProblem::place_residuals(const SlideSetting& setting, std::span<const double> p,
                                   std::span<const double> means_N, std::span<const double> late_s,
                                   std::span<double> residuals) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const auto& block = blocks_[b];
    const double model_N =
        means_N[b] + p[kSlideLean] * block.normal_N + p[side_column(block.contact)];
    residuals[b] = (model_N - block.force_N) / block.sigma_N;
    if (!std::isfinite(residuals[b])) return false;
  }
  for (std::size_t c = 0; c < of_contact_.size(); ++c) {
    residuals[blocks_.size() + 2 * c] = p[side_column(c)] / side_u_N(tracks_.contacts[c]);
    residuals[blocks_.size() + 2 * c + 1] = p[zero_column(c)] / zero_u_N(tracks_.contacts[c]);
  }
  for (std::size_t s = 0; s < slides_; ++s)
    residuals[late_row() + s] = setting.u_late_s > 0 ? late_s[s] / setting.u_late_s : 0;
  residuals[second_row()] = p[kSlideSecondCos] / second_u_m();
  residuals[second_row() + 1] = p[kSlideSecondSin] / second_u_m();
  residuals[second_row() + 2] =
      tracks_.side_m_per_N ? 0 : (p[kSlideSide] - kUsualSide_m_per_N) / kSideSpread_m_per_N;
  residuals.back() = p[kSlideLag] / kFilter_s;
  return true;
}

void SlideProblem::place_slopes(std::size_t c, std::span<const SlideColumns> means,
                                std::span<const std::size_t> free,
                                std::span<double> jacobian) const {
  const auto first = of_contact_[c].first;
  for (std::size_t b = 0; b < means.size(); ++b) {
    const auto& block = blocks_[first + b];
    double* row = &jacobian[(first + b) * size()];
    for (const auto j : free) row[j] = means[b][static_cast<Index>(j)] / block.sigma_N;
    row[kSlideLean] = block.normal_N / block.sigma_N;
    row[side_column(c)] = 1 / block.sigma_N;
    row[zero_column(c)] = means[b][kSlideZeroColumn] / block.sigma_N;
  }
  jacobian[(blocks_.size() + 2 * c) * size() + side_column(c)] = 1 / side_u_N(tracks_.contacts[c]);
  jacobian[(blocks_.size() + 2 * c + 1) * size() + zero_column(c)] =
      1 / zero_u_N(tracks_.contacts[c]);
}

void SlideProblem::project(const SlideSetting& setting, std::size_t c, std::span<const double> late,
                           std::span<double> jacobian) const {
  const auto [first, end] = of_contact_[c];
  const double known = 1 / setting.u_late_s;
  Eigen::RowVectorXd sum(static_cast<Index>(size()));
  for (std::size_t b = first; b < end;) {
    const std::size_t from = b;
    double squared = known * known;
    sum.setZero();
    const auto row_of = [&](std::size_t row) {
      return Eigen::Map<Eigen::RowVectorXd>(&jacobian[row * size()], static_cast<Index>(size()));
    };
    const auto by_late = [&](std::size_t at) { return late[at - first] / blocks_[at].sigma_N; };
    for (; b < end && blocks_[b].slide == blocks_[from].slide; ++b) {
      squared += by_late(b) * by_late(b);
      sum += by_late(b) * row_of(b);
    }
    sum /= squared;
    for (std::size_t i = from; i < b; ++i) row_of(i) -= by_late(i) * sum;
    row_of(late_row() + blocks_[from].slide) = -known * sum;
  }
}

bool SlideProblem::slopes(const SlideSetting& setting, std::span<const double> p,
                          std::span<const int> held, std::span<double> residuals,
                          std::span<double> jacobian) const {
  if (!sensible(setting, p)) return false;
  std::fill(jacobian.begin(), jacobian.end(), 0.0);
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < kSlideLean; ++j)
    if (std::find(held.begin(), held.end(), static_cast<int>(j)) == held.end()) free.push_back(j);
  std::vector<TipSlopes> tips;
  const auto motions = turns(setting).motions(setting, p, &tips);
  const auto slid_m = slid_before_m(tracks_, motions);
  std::vector<double> means_N(blocks_.size()), late_s(slides_);
  parallel_for(threads_, of_contact_.size(), [&](std::size_t c) {
    const auto [first, end] = of_contact_[c];
    const auto by = contact_slopes(tracks_.contacts[c], motions[c], tips[c], slid_m[c],
                                   p[zero_column(c)], p[side_column(c)], tracks_.reference_N,
                                   setting, p, std::span(blocks_).subspan(first, end - first));
    place_slopes(c, by.columns, free, jacobian);
    if (setting.u_late_s > 0) project(setting, c, by.late, jacobian);
    std::copy(by.means_N.begin(), by.means_N.end(), means_N.begin() + static_cast<Index>(first));
    std::copy(by.late_s.begin(), by.late_s.end(),
              late_s.begin() + static_cast<Index>(first_slide_[c]));
  });
  const auto known = [&](std::size_t row, std::size_t column, double u) {
    if (std::find(free.begin(), free.end(), column) != free.end())
      jacobian[row * size() + column] = 1 / u;
  };
  known(second_row(), kSlideSecondCos, second_u_m());
  known(second_row() + 1, kSlideSecondSin, second_u_m());
  if (!tracks_.side_m_per_N) known(second_row() + 2, kSlideSide, kSideSpread_m_per_N);
  known(residuals.size() - 1, kSlideLag, kFilter_s);
  return place_residuals(setting, p, means_N, late_s, residuals);
}

Result<SlideFit> SlideProblem::fit(const SlideSetting& setting, const SlideValues& start,
                                   std::span<const int> held, int iterations,
                                   const Job& job) const {
  SlideFit result;
  result.setting = setting;
  result.values = start;
  result.held.assign(held.begin(), held.end());
  ceres::Problem problem;
  problem.AddParameterBlock(result.values.data(), static_cast<int>(size()));
  problem.AddResidualBlock(new SlideCost(*this, setting, held), nullptr, result.values.data());
  if (!held.empty())
    problem.SetManifold(result.values.data(),
                        new ceres::SubsetManifold(static_cast<int>(size()), result.held));
  const auto solution = solve(problem, job, {iterations, kTolerance});
  if (!solution) return fail(solution.error());
  result.iterations = solution->iterations;
  std::vector<double> residuals(this->residuals());
  if (!evaluate(setting, result.values, residuals))
    return fail(ErrorCode::kUnidentifiable, "the slides' model can't be evaluated");
  for (std::size_t b = 0; b < blocks_.size(); ++b) result.chi2 += residuals[b] * residuals[b];
  result.dof = static_cast<double>(blocks_.size()) - static_cast<double>(size() - held.size()) -
               static_cast<double>(setting.u_late_s > 0 ? slides_ : 0);
  return result;
}

std::size_t SlideProblem::leave_out_blows(const SlideFit& fit) {
  std::vector<double> residuals(this->residuals());
  if (!evaluate(fit.setting, fit.values, residuals)) return 0;
  const double usual = mad_sigma(std::span(residuals).first(blocks_.size()));
  std::vector<bool> out(blocks_.size(), false);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (std::abs(residuals[b]) < kBlow * usual) continue;
    const std::size_t last = std::min(blocks_.size(), b + kBlowBlocks);
    for (std::size_t i = b - std::min(b, kBeforeBlow); i < last; ++i)
      if (blocks_[i].slide == blocks_[b].slide) out[i] = true;
  }
  const auto count = static_cast<std::size_t>(std::count(out.begin(), out.end(), true));
  if (static_cast<double>(count) > kMaxBlows * static_cast<double>(blocks_.size())) return 0;
  std::vector<SlideBlock> kept;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (!out[b]) kept.push_back(blocks_[b]);
  blocks_ = std::move(kept);
  index_contacts();
  return count;
}

void SlideProblem::judge(SlideFit& fit) const {
  std::vector<double> residuals(this->residuals());
  std::vector<double> slopes_of(this->residuals() * size());
  if (!slopes(fit.setting, fit.values, fit.held, residuals, slopes_of)) return;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Index>(this->residuals());
  const auto columns = static_cast<Index>(size());
  std::vector<Index> free;
  for (Index j = 0; j < columns; ++j)
    if (std::find(fit.held.begin(), fit.held.end(), static_cast<int>(j)) == fit.held.end())
      free.push_back(j);
  const MatrixXd jacobian =
      Eigen::Map<const RowMajor>(slopes_of.data(), rows, columns)(Eigen::all, free);
  const Eigen::Map<const VectorXd> r(residuals.data(), rows);
  LugreNormal normal{jacobian.transpose() * jacobian, {}, fit.chi2};
  fit.condition = lugre_condition(normal);
  std::vector<Cluster> slides;
  for (std::size_t b = 0; b < blocks_.size();) {
    const auto first = static_cast<Index>(b);
    const auto slide = blocks_[b].slide;
    while (b < blocks_.size() && blocks_[b].slide == slide) ++b;
    const auto own = jacobian.middleRows(first, static_cast<Index>(b) - first);
    slides.push_back(
        {own.transpose() * own, own.transpose() * r.segment(first, static_cast<Index>(b) - first)});
  }
  fit.slides = static_cast<double>(slides.size());
  const auto known = jacobian.bottomRows(rows - static_cast<Index>(blocks_.size()));
  const MatrixXd part = clustered_covariance(normal.matrix, slides, known.transpose() * known,
                                             std::max(1.0, fit.chi2_per_dof()));
  if (part.size() == 0) return;
  constexpr auto shared = static_cast<Index>(kSlideShared);
  fit.covariance = MatrixXd::Zero(shared, shared);
  for (std::size_t a = 0; a < free.size() && free[a] < shared; ++a)
    for (std::size_t b = 0; b < free.size() && free[b] < shared; ++b)
      fit.covariance(free[a], free[b]) = part(static_cast<Index>(a), static_cast<Index>(b));
}

}  // namespace tactelier
