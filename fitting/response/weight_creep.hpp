#pragma once
// Creep of readings under a dead weight (docs/theory/response.md 9): it lies on many tactels with a
// force that does not change, so that what their readings still gain is creep alone, as no hold of
// a depth shows it. Weights are those that protocols lay on for presses beside them
// (libcalib/protocol/plan_preload.cpp).

#include <optional>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// From context.sessions and the responses in context.model. With L(t) = log10(1 + t/1 s), t since
/// the weight was laid on, a tactel above its dead zone gives
///   c - offset + F_t/kappa = s [1 + c_d (L(t) + sum_e s_e/s (L(t - a_e) - L(t - b_e)))]
/// s, c_d by least squares; e are the weights before it, on it from a_e to b_e. Tactels that were
/// pressed shortly before, from which earlier weights took half of the creep, or beside which the
/// tip presses, are left out. The median of tactels
/// stands for each weight, their mean for all. Empty where no weight was seen to be laid on, fewer
/// than 5 tactels were raised by it, or creep is not clear of its uncertainty. Fails for damage and
/// cancellation.
Result<std::optional<ReadingCreep>> creep_under_weights(const FitContext& context);

}  // namespace tactelier
