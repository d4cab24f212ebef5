#pragma once
// Stage "contact": where each press first touches the pad, the force sensor's bias and noise, and
// what of the travel is the rig's own bending (docs/theory/contact-and-stiffness.md).

#include <vector>

#include "fitting/contact/contact_press.hpp"
#include "fitting/recording/fit_context.hpp"
#include "fitting/recording/press_data.hpp"

namespace tactelier {

/// Fills context.contacts, context.compliance, model.presses, model.rig, timing.rate_hz and the
/// ranges of force, depth and speed in model.validity.
Result<void> run_contact(FitContext& context);

/// The contact stage's finding for one press, or nullptr before that stage ran.
const PressContact* find_contact(const FitContext& context, std::size_t session, std::size_t press);

/// What analyse_contact() needs to know of a press. Needs context.compliance.
ContactSettings contact_settings(const FitContext& context, std::size_t session, std::size_t press);

/// Indentation depth of every row: travel - z0 - deflection(force - bias); negative before touch.
/// Needs contact.ok and data.has_travel().
std::vector<double> depth_m(const FitContext& context, const PressContact& contact,
                            const PressData& data);

/// A rig in series whose give nobody measured: what force and depth say is not the pad's. The
/// refusal RC-06, empty where the give is known or the session says nothing of a rig.
std::string unknown_rig(const FitContext& context, std::size_t session);

}  // namespace tactelier
