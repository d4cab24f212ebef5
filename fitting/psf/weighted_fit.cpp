#include "fitting/psf/weighted_fit.hpp"

namespace tactelier {
namespace {

constexpr int kRounds = 2;  // of new weights from the present slopes

}  // namespace

Result<PsfFit> fit_weighted(PsfData& data, const PsfModel& model, PsfState start, double relative,
                            const Job& job) {
  for (int round = 0;; ++round) {
    auto fit = fit_psf_twice(data.problem, model, std::move(start), job);
    if (!fit || round == kRounds) return fit;
    reweight(data, fit->state, fit->shares.value, relative);
    start = std::move(fit->state);
  }
}

}  // namespace tactelier
