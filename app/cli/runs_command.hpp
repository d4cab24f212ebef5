#pragma once
// How a part of the grammar says what its command does.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tactelier::cli {

class Console;

/// Adds the flags that every command has, and remembers what it runs.
using RunsCommand =
    std::function<void(CLI::App* command, std::string name, std::function<int(Console&)> body)>;

}  // namespace tactelier::cli
