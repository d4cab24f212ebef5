#pragma once
// Text between tags.

#include <string>
#include <string_view>

namespace tactelier {

/// & < > " as entities; characters that XML forbids are left out.
std::string escaped(std::string_view text);

}  // namespace tactelier
