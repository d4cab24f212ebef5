#pragma once
// Somebody at the terminal is asked.

#include <optional>
#include <string>
#include <string_view>

#include "libcalib/result.hpp"

namespace tactelier::cli {

/// "y" to a question; nobody there: no.
bool agrees(std::string_view question);
/// To whether the rig is free.
bool may_move();
/// What a command says that may_move() was denied.
Error unconfirmed();

/// Something to do, or with a `key` a number to read off.
Result<std::optional<double>> ask_person(const std::string& text, const std::string& key);

}  // namespace tactelier::cli
