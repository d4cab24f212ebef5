#pragma once
// A number typed with or without its unit: "0.35", "350 mN", "58.5 N/mm".

#include <QString>

#include "libcalib/result.hpp"

namespace tactelier::gui {

/// The value in `unit` (SI). A unit typed must be that one, with a prefix or in other units of the
/// same quantity; none typed means `unit`. Fails with kUsage, saying what would do.
Result<double> parseQuantity(const QString& typed, const std::string& unit);

}  // namespace tactelier::gui
