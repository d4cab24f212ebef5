#include "fitting/engine/fit_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"SENSOR-DIFFERS", "sensors differ between sessions",
     "The sessions state different numbers of the sensor; those of the first one are taken.",
     "Correct the wrong description, or state one with --sensor."},
    {"DAMAGED", "session damaged",
     "The session can't be read as a whole: a part of it doesn't agree with its checksum.",
     "Take the file from a backup; tactelier info names what is damaged."},
});

}  // namespace

const FactTable& fit_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
