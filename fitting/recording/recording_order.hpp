#pragma once
// Which session is the first: the one recorded first, not the one that was named first.

#include <cstddef>
#include <span>
#include <vector>

#include "fitting/recording/fit_context.hpp"

namespace tactelier {

/// Places of the sessions in the order of their recording; those of the same second go by content.
/// The same whatever their order on a command line.
std::vector<std::size_t> recording_order(std::span<const FitSession> sessions);

}  // namespace tactelier
