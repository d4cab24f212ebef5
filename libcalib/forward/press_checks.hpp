#pragma once
// What every method of libcalib/forward refuses and warns of alike (docs/theory/forward.md 9).

#include "libcalib/forward/press_image.hpp"

namespace tactelier {

/// Fails with kInvalidInput, FW-07, on a pose or speed that is no number and on a load that is none
/// or not positive.
Result<void> check_press(const StaticPress& press);

/// "5 N", "0.2 mm of depth".
std::string load_words(const PressLoad& load);

/// FW-01, with the place and `why`: what the method can't do there.
tl::unexpected<Error> nothing_under(const StaticPress& press, std::string_view why);

/// FW-02, where more than 1 % of the contact lies beside the cells of a flat array.
void warn_of_footprint(const StaticPress& press, const FoundationContact& contact, double depth_m,
                       Warnings& warnings);
/// FW-03.
void warn_of_depth(const SensorDescription& sensor, const StaticPress& press, double depth_m,
                   Warnings& warnings);

}  // namespace tactelier
