#pragma once
// The one way errors travel: what the world can break returns Result<T>; what only a programmer can
// break is an assert. Exceptions of libraries are caught where the library is called.

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace tactelier {

enum class ErrorCode {
  kUsage,           // the command line or a call's options make no sense
  kInvalidInput,    // a file or its content is wrong: nothing was taken from it
  kDamaged,         // a file was whole once and isn't any more
  kIo,              // the system refused to open, read or write
  kTimeout,         // a device did not answer in time
  kProtocol,        // a device answered what its protocol does not allow
  kDeviceFault,     // a device reported a fault
  kUnidentifiable,  // the data do not determine what was asked for
  kCancelled,       // somebody stopped it
};

struct Error {
  ErrorCode code{};
  std::string message;  // thing, place, cause, remedy: "force.csv:12: ..., use --sort ..."
};

template <class T>
using Result = tl::expected<T, Error>;

/// The error side of any Result: `return fail(ErrorCode::kIo, "cannot open '{}': {}", path, why);`
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> text,
                                         Args&&... args) {
  return tl::unexpected<Error>(Error{code, fmt::format(text, std::forward<Args>(args)...)});
}

/// Passes an error on, with the place in front: `return fail(result.error(), "session.json");`
[[nodiscard]] inline tl::unexpected<Error> fail(const Error& error, std::string_view place = {}) {
  return tl::unexpected<Error>(Error{
      error.code, place.empty() ? error.message : fmt::format("{}: {}", place, error.message)});
}

/// What a user must know although the work went on. `code` is one of docs/codes.md ("CV-02")
/// or a word; `where` names file, press or tactel.
struct Warning {
  std::string code;
  std::string text;
  std::string where;

  bool operator==(const Warning&) const = default;
};

using Warnings = std::vector<Warning>;

}  // namespace tactelier
