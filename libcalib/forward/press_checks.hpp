#pragma once
// What every method of libcalib/forward refuses and warns of alike (docs/theory/forward.md 9).

#include <functional>

#include "libcalib/forward/press_image.hpp"

namespace tactelier {

/// Fails with kInvalidInput, FW-07, on a pose or speed that is no number and on a load that is none
/// or not positive.
Result<void> check_press(const StaticPress& press);

/// "5 N", "0.2 mm of depth".
std::string load_words(const PressLoad& load);

/// FW-01, with the place and `why`: what the method can't do there.
tl::unexpected<Error> nothing_under(const StaticPress& press, std::string_view why);

/// How deep the pad can be pressed: twice the layer's thickness, as Moisio et al. advise for rays,
/// 10 mm where nobody states one.
double pad_range_m(const SensorDescription& sensor);
/// Fails with FW-06 where a load or depth goes beyond pad_range_m().
Result<void> check_range(const SensorDescription& sensor, const StaticPress& press, double depth_m);

/// Depth up to range_m at which `load_N(depth)`, which rises, carries the press's load, by halving:
/// as sure as it is slow. Below 0 where the low side of a leaning face carries it. Fails with FW-01
/// and `why` where nothing carries in the whole range, with FW-06 where load or depth lie beyond
/// it.
Result<double> balanced_depth_m(const StaticPress& press, double range_m, std::string_view why,
                                const std::function<double(double)>& load_N);

/// FW-02, where more than 1 % of the contact lies beside the cells of a flat array.
void warn_of_footprint(const StaticPress& press, const FoundationContact& contact, double depth_m,
                       Warnings& warnings);
/// FW-03.
void warn_of_depth(const SensorDescription& sensor, const StaticPress& press, double depth_m,
                   Warnings& warnings);

}  // namespace tactelier
