#include "fitting/refresh/refresh_facts.hpp"

#include <array>

namespace tactelier::refresh {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"RF-01", "model without a point spread",
     "A model is refreshed by presses anywhere on the array, whose readings its point spread "
     "predicts; this one has none.",
     "Compare it with a session of protocol check (tactelier check), or fit a recording that shows "
     "the spread (P8).",
     recording("P8")},
    {"RF-02", "no tactel answered",
     "No tactel that the model knows a gain of answered to the presses of the recording.",
     "Press on the array, harder; check that the sensor and its mounting are those of the model.",
     kOwnProtocol},
    {"RF-05", "tactel far noisier than it was",
     "A tactel's readings at rest scatter by several times what the model says of it.",
     "Check its cable and contact; its gain is kept as it was, since nothing tells it.",
     kNoRecording},
    {"RF-06", "tactel did not answer",
     "A tactel stayed at its offset in presses beside or on it, of which its model says that it "
     "reads them clearly.",
     "Check its cable and contact. The refreshed model has no gain for it.", kNoRecording},
});

}  // namespace

const FactTable& refresh_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier::refresh
