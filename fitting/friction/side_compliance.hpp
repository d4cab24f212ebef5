#pragma once
// What the rig gives along the surface stands in series with the bristles
// (docs/theory/friction.md 9):
//   1/sigma0_seen = 1/sigma0 + C
// How much of sigma1 the spring hides depends on where the damping sits: from nothing to
// sigma1_seen = sigma1 / (1 + sigma0 C)^2. Its value stays, u_total reaches there.

#include <optional>
#include <string>

#include "libcalib/model_file/sensor_model.hpp"

namespace tactelier {

/// What the rig gives along the surface.
struct SideCompliance {
  double m_per_N = 0;
  double u_m_per_N = 0;  // standard
  bool measured = false;
};

/// As somebody states it: a tenth is taken as its standard uncertainty, since rig files state none.
SideCompliance stated_compliance(double m_per_N);

/// C in m/N as session.json's rig states it (shear_compliance_um_per_N); empty where it doesn't.
std::optional<double> stated_side_compliance(const std::string& session_json);

/// Takes C out of sigma0 where it is identified. Where sigma0_seen C >= 1 the rig is softer than
/// what was seen, and both are refused (FR-04).
void take_side_compliance_out(const SideCompliance& rig, LugreParameters& contact);

}  // namespace tactelier
