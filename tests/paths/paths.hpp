#pragma once

#include <string>

/// Where a test finds what it reads or runs, absolute and without a slash at the end. The only
/// source that knows this folder's place, so that the compiler's cache serves any other checkout.
namespace tactelier::paths {

const std::string& source_dir();
const std::string& oracles();
/// The command line program just built.
const std::string& cli();

}  // namespace tactelier::paths
