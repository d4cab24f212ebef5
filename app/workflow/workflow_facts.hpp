#pragma once
// What the codes of commands mean, apart from those of fits and models.

#include <array>

#include "libcalib/facts.hpp"

namespace tactelier {

const FactTable& workflow_facts();

/// The commands' own table and the rig's: all that code_book() doesn't know by itself.
std::array<const FactTable*, 2> command_tables();

}  // namespace tactelier
