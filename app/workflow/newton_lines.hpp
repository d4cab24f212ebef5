#pragma once
// How frames in newtons are written, a line each (docs/live-newtons.md).

#include <string>

#include "app/workflow/live_newtons.hpp"

namespace tactelier {

/// 'o' ok, 'b' below, 's' saturated (at least that force), 'u' uncalibrated, 'm' missing: the
/// first letters of to_string(ReadingFlag).
char letter_of(ReadingFlag flag);

/// "t[s],frame,0[N],1[N],...,flags" and ",total[N]" where the model knows the array's force.
std::string newton_header(std::size_t tactels, bool total);

/// Appends one line of that table with its end; cells are empty where there is no force.
void append_text(const NewtonFrame& frame, bool total, std::string& into);

/// Appends {"t_s", "frame", "force_N": [number or null], "flags", "total_N"} and an end of line
/// (data/schemas/live-newtons.schema.json).
void append_json(const NewtonFrame& frame, bool total, std::string& into);

/// No line of so many tactels is longer, in either form.
std::size_t longest_line(std::size_t tactels);

}  // namespace tactelier
