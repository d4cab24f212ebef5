#include "fitting/recording/force_certificate.hpp"

#include <algorithm>

namespace tactelier {

ForceCertificate force_certificate(const FitContext& context) {
  ForceCertificate certificate;
  for (const auto& session : context.sessions) {
    const auto& sensor = session.session->metadata().force_sensor;
    if (sensor && sensor->gain_u_percent)
      certificate.gain_percent = std::max(certificate.gain_percent, *sensor->gain_u_percent);
    else
      certificate.complete = false;
  }
  return certificate;
}

}  // namespace tactelier
