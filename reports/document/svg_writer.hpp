#pragma once
// A drawing as an <svg> element within a page: scales with its box, and says what it shows.

#include <string>

#include "reports/document/drawing.hpp"

namespace tactelier {

std::string svg(const Drawing& drawing);

}  // namespace tactelier
