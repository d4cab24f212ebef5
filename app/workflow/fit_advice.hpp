#pragma once
// From a refusal to data: what a reason code asks for, and the protocol that records it
// (docs/theory/conventions.md 6).

#include <string>
#include <string_view>

namespace tactelier {

struct Advice {
  std::string code;      // "RS-06"; "" when the reason has none
  std::string words;     // the reason without its code
  std::string protocol;  // "P2"; "" when no recording would help
  std::string cause;     // two or three words: "one press only"

  /// "add P2: one press only"; the cause alone without a protocol.
  std::string action() const;
};

/// `path` is the parameter's, "stiffness.k": the same code may ask for different recordings.
Advice advice_for(std::string_view reason, std::string_view path);

}  // namespace tactelier
