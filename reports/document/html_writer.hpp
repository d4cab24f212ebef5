#pragma once
// A report as one HTML file: nothing is loaded from anywhere, no script; readable on a phone,
// printable, and by a screen reader.

#include <string>

#include "reports/document/document.hpp"

namespace tactelier {

std::string html(const ReportDocument& document);

}  // namespace tactelier
