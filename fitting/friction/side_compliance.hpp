#pragma once
// What the rig gives along the surface, C in m/N, stands in series with the bristles
// (docs/theory/friction.md 9): the touched point lags what is driven by C F. Whole slides are
// fitted with it (slide_series.hpp); from a motion that was measured C F is taken off before
// anything is fitted to it. What is not known of C, and the rig's own damping, widen sigma0 and
// sigma1.

#include <optional>
#include <string>

#include "fitting/friction/slide_data.hpp"
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

/// Turns the stage's measured motion into that of the touched point. Refuses a swing in which the
/// rig alone, by C, would give more than what was seen (FR-04). Motion that is only as commanded
/// stays.
void take_rig_out(const SideCompliance& rig, SlideRun& run);

/// Widens what was fitted with C by what is not known of it.
void hold_side_compliance(const SideCompliance& rig, LugreParameters& contact);

/// What a rig's own damping may make of sigma1: relative, standard.
double u_of_rig_damping(double side_m_per_N, double sigma0, double sigma1);

}  // namespace tactelier
