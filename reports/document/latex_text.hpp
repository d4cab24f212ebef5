#pragma once
// Words of ours as LaTeX takes them, in text mode, without packages.

#include <string>
#include <string_view>

namespace tactelier {

/// Special characters escaped; Greek letters and signs as mathematics.
std::string latex(std::string_view text);

}  // namespace tactelier
