#include "reports/report_facts.hpp"

#include <array>

namespace tactelier {
namespace {

constexpr auto kCodes = std::to_array<CodeFact>({
    {"DIFF-SENSOR", "two different sensors",
     "The two models describe sensors of different layout or serial number.",
     "Compare models of one sensor; parameters by tactel mean nothing otherwise."},
    {"DIFF-COMMON", "one force sensor for both",
     "Both models were fitted with one force sensor, whose gain is uncertain in common: E_n of "
     "gains and stiffness is on the small side.",
     "Compare with a calibration by another force sensor where the absolute value matters."},
});

}  // namespace

const FactTable& report_facts() {
  static constexpr FactTable kTable{{}, {}, kCodes};
  return kTable;
}

}  // namespace tactelier
