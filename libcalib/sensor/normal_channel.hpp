#pragma once
// Which of a tactel's channels is its reading where one is wanted.

#include <cstddef>

namespace tactelier {

/// Of three channels (x, y, z) the normal one, else the first: as recordings are fitted.
constexpr std::size_t normal_channel(int channels) { return channels == 3 ? 2 : 0; }

}  // namespace tactelier
