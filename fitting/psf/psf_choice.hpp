#pragma once
// Which spread the data ask for: round or not, which edge, which form. The simpler one stays unless
// the other is better by BIC and also predicts places it has not seen better
// (docs/theory/point-spread.md 7; docs/theory/statistics.md 3, 4).

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fitting/psf/psf_fit.hpp"

namespace tactelier {

/// How well presses at places that were left out are predicted.
struct PsfHoldout {
  double rms = 0;    // whitened, of the rows left out
  double train = 0;  // of the others
  double ratio() const { return train > 0 ? rms / train : 0; }
};

/// Folds of places (presses within a tenth of a pitch belong together), drawn by seed. Fails with
/// kCancelled, or kUnidentifiable with fewer than two places. `problem` is left as it was.
Result<PsfHoldout> psf_holdout(PsfProblem& problem, const PsfFit& fit, int folds,
                               std::uint64_t seed, const Job& job = {});

/// Marks about `fraction` of the places as not used. Returns the presses left out.
std::vector<std::size_t> hold_out_places(PsfProblem& problem, double fraction, std::uint64_t seed);

struct PsfCandidate {
  std::string name;  // "anisotropic"
  double chi2 = 0;
  double delta_bic = 0, delta_aicc = 0;  // against the one that was best before
  double holdout = 0;                    // whitened rms
};

struct PsfChoice {
  PsfFit fit;
  PsfHoldout holdout;
  std::vector<PsfCandidate> candidates;
  bool edge_tested = false;
};

/// `base` is the fit of the simplest model.
Result<PsfChoice> choose_psf(PsfProblem& problem, PsfFit base, std::uint64_t seed,
                             const Job& job = {});

/// A matrix read line by line adds to each reading a part of the others in its row and column. A
/// percent of that changes what is predicted by less than presses scatter, so no test of the fit
/// can rule it out, and yet it moves the spread by several of its standard errors. It therefore
/// stays free wherever the data can hold it.
Result<PsfFit> with_ghosting(const PsfProblem& problem, PsfFit base, const Job& job);

/// Width of the tactels, in pitches, as the readings tell it, and how all parameters of the fit
/// (PsfUncertainty::covariance's) go with it.
struct CellWidth {
  double pitches = 0;
  double std = 0;
  PsfLayout layout;
  PsfFit fit;
  PsfHoldout holdout;
  Eigen::VectorXd along;  // d parameters/d pitches
};

/// Cells narrower than the pitch, where nobody states their width: taken where they describe the
/// presses clearly better than `best` does and predict places left out better; else empty. `layout`
/// gives the sensor's with cells of a width. Fails with kCancelled only.
Result<std::optional<CellWidth>> choose_cell_width(
    PsfProblem& problem, const PsfChoice& best,
    const std::function<Result<PsfLayout>(double pitches)>& layout, std::uint64_t seed,
    const Job& job = {});

}  // namespace tactelier
