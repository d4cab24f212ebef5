#pragma once
// What the certificates of the force sensors say, of all sessions of a fit together.

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

struct ForceCertificate {
  double gain_percent = 0;  // standard uncertainty of the gain: the largest that is stated
  bool complete = true;     // every session states it

  double gain_share() const { return gain_percent / 100; }
};

ForceCertificate force_certificate(const FitContext& context);

}  // namespace tactelier
