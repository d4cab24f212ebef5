#pragma once
// Lines from standard input for commands that go on: what a person types, or a barcode scanner,
// which is a keyboard that ends with Enter. Waiting ends with Ctrl-C.

#include <optional>
#include <stop_token>
#include <string>

#include "libcalib/result.hpp"

namespace tactelier::cli {

class LineInput {
 public:
  LineInput(int descriptor, std::stop_token stop);

  /// Without its end; nothing once the input has ended. Fails with kCancelled when stopped, with
  /// kInvalidInput on a line of more than 4096 bytes.
  Result<std::optional<std::string>> next();
  /// A terminal forgets what was typed ahead: a stray Enter must not confirm what comes. From a
  /// pipe everything counts.
  void forget_typed_ahead();

 private:
  /// Waits for more; false at the end of input.
  Result<bool> read_more();

  int descriptor_;
  std::stop_token stop_;
  std::string rest_;
};

}  // namespace tactelier::cli
