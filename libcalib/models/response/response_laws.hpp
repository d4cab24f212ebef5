#pragma once
// All laws a response may follow (response_law.hpp): what the fit chooses from and what a model
// file may name. A new law is one line in the .cpp.

#include <span>

#include "libcalib/models/response/response_law.hpp"

namespace tactelier {

/// The straight line first: the others must beat it.
std::span<const ResponseLaw* const> response_laws();

/// By the model file's word; null for a word that names none.
const ResponseLaw* find_response_law(std::string_view name);

}  // namespace tactelier
