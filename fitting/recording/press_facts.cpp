#include "fitting/recording/press_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"NO-SAMPLES", "too few samples",
     "The press holds too few samples of the streams that the stage needs, or no moment at which "
     "all of them were recorded.",
     "Repeat the press with every stream running, and look for gaps in the recording.",
     kOwnProtocol},
});

}  // namespace

const FactTable& press_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
