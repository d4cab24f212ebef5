#pragma once
// Least squares of whole slides against their forward model (slide_law.hpp), for one shape of the
// motor's steps. What is tried, and what may be released, is decided in slide_search.hpp.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "fitting/friction/slide_slopes.hpp"
#include "fitting/statistics/condition.hpp"
#include "libcalib/job.hpp"

namespace tactelier {

/// What a rig gives along the surface, where nobody knows: some and its standard uncertainty, m/N.
constexpr double kUsualSide_m_per_N = 40e-6, kSideSpread_m_per_N = 40e-6;

/// By SlideIndex, then the side force of each contact and the error of its load's zero, N.
using SlideValues = std::vector<double>;

struct SlideFit {
  SlideSetting setting;
  SlideValues values;
  double chi2 = 0;  // of the blocks
  double dof = 0;
  int iterations = 0;
  std::vector<int> held;       // SlideIndex of what stayed where it was
  Eigen::MatrixXd covariance;  // kSlideShared x kSlideShared, from how slides differ as wholes
                               // where that is wider; empty when rank deficient
  double slides = 0;           // that were compared
  Condition condition;

  double chi2_per_dof() const { return dof > 0 ? chi2 / dof : 0; }
};

class SlideProblem {
 public:
  /// Contacts are computed on so many threads; nothing depends on how many. For one caller at once:
  /// what the path makes the motor do is kept from one call to the next.
  explicit SlideProblem(const SlideTracks& tracks, int threads = 1);

  const SlideTracks& tracks() const { return tracks_; }
  const std::vector<SlideBlock>& blocks() const { return blocks_; }
  std::size_t slides() const { return slides_; }
  std::size_t size() const { return kSlideShared + 2 * tracks_.contacts.size(); }
  /// Blocks, then what is known beforehand of side forces and zeros, of when each line began, of
  /// the microstep error over half of its period, of what the rig gives, and of the filter.
  std::size_t residuals() const { return late_row() + slides_ + 4; }

  /// (model - measured) / sigma. False where the parameters make no sense.
  bool evaluate(const SlideSetting& setting, std::span<const double> p,
                std::span<double> residuals) const;
  /// The same with the Jacobian, row-major, residuals() x size(). Columns that are `held` stay 0.
  bool slopes(const SlideSetting& setting, std::span<const double> p, std::span<const int> held,
              std::span<double> residuals, std::span<double> jacobian) const;

  /// From `start`, at most `iterations` steps; chi2 and values alone.
  Result<SlideFit> fit(const SlideSetting& setting, const SlideValues& start,
                       std::span<const int> held, int iterations, const Job& job) const;
  /// Leaves out what a blow against the rig did to single blocks, as `fit` shows, and the time
  /// until it has died down. Nothing where that would be many: then it is no blow. How many it was.
  std::size_t leave_out_blows(const SlideFit& fit);
  /// Fills covariance and condition of a fit that has ended.
  void judge(SlideFit& fit) const;

 private:
  void index_contacts();
  const TipTurns& turns(const SlideSetting& setting) const;
  bool place_residuals(const SlideSetting& setting, std::span<const double> p,
                       std::span<const double> means_N, std::span<const double> late_s,
                       std::span<double> residuals) const;
  std::size_t late_row() const { return blocks_.size() + 2 * tracks_.contacts.size(); }
  std::size_t second_row() const { return late_row() + slides_; }
  /// Standard, of each part of the microstep error over half of its period.
  double second_u_m() const;
  /// The Jacobian's rows of a contact, by its blocks' derivatives.
  void place_slopes(std::size_t contact, std::span<const SlideColumns> means,
                    std::span<const std::size_t> free, std::span<double> jacobian) const;
  /// And what is left of them beside how late each slide is.
  void project(const SlideSetting& setting, std::size_t contact, std::span<const double> late,
               std::span<double> jacobian) const;

  const SlideTracks& tracks_;
  int threads_;
  std::vector<SlideBlock> blocks_;
  std::vector<std::pair<std::size_t, std::size_t>> of_contact_;  // blocks [first, end)
  std::vector<std::size_t> first_slide_;                         // of each contact
  std::size_t slides_ = 0;                                       // of all
  mutable std::optional<TipTurns> turns_;                        // of the setting last asked for
};

}  // namespace tactelier
