#include "app/workflow/fit_advice.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace tactelier {
namespace {

struct Entry {
  std::string_view code;
  std::string_view path;  // the path begins with it; "" for any
  std::string_view protocol;
  std::string_view cause;
};

// More special entries first.
constexpr std::array kEntries{
    Entry{"NOT-PRESSED", "", "P2", "not pressed"},
    Entry{"NOT-FITTED", "rig.", "P1", "no plate press"},
    Entry{"NOT-FITTED", "timing.", "", "no time course"},
    Entry{"NOT-FITTED", "", "", "nothing recorded for it"},
    Entry{"OF-01", "", "P0", "no free air"},
    Entry{"RC-01", "", "P2", "no free air before contact"},
    Entry{"RC-02", "", "P1", "the frame bends too much"},
    Entry{"RC-05", "", "P2", "contact not bracketed"},
    Entry{"NO-CONTACT", "", "P2", "never touched"},
    Entry{"CV-01", "", "", "a sign is inverted"},
    Entry{"TA-04", "", "P2", "tactile and force unlike"},
    Entry{"TA-05", "", "", "check the clocks"},
    Entry{"TA-06", "", "P5", "too few speeds"},
    Entry{"TA-07", "", "P2", "no moving press"},
    Entry{"TA-08", "", "", "a clock that can't be placed"},
    Entry{"RP-01", "", "P2", "too few repeats"},
    Entry{"RS-01", "", "P2", "stays at its offset"},
    Entry{"RS-02", "", "P2", "too few readings"},
    Entry{"RS-03", "", "P2", "not monotone"},
    Entry{"RS-04", "", "P2", "forces too alike"},
    Entry{"RS-05", "", "P2", "saturation not reached"},
    Entry{"RS-06", "", "P2", "no way out recorded"},
    Entry{"RS-07", "", "", "no line"},
    Entry{"ZR-01", "", "P2", "no free air after release"},
    Entry{"SWAPPED", "", "", "swapped with another"},
    Entry{"PS-03", "", "P8", "isolated presses"},
    Entry{"ST-01", "stiffness.foundation_modulus", "P4", "no plate press"},
    Entry{"ST-01", "stiffness.k_", "P3", "too few depths"},
    Entry{"ST-01", "stiffness.k", "P4", "no plate press"},
    Entry{"ST-01", "", "P3", "too few depths"},
    Entry{"ST-03", "", "P3", "no linear part seen"},
    Entry{"ST-05", "", "P4", "a punch is not a plate"},
    Entry{"UNLOADING", "", "P3", "too few readings on the way out"},
    Entry{"ID-01", "", "", "data don't determine it"},
    Entry{"ID-02", "", "", "interval wider than the value"},
    Entry{"ID-04", "", "", "only one limit"},
    Entry{"ID-05", "", "", "several solutions"},
    Entry{"ID-06", "", "", "ended at its limit"},
    Entry{"EXCLUDED", "", "", "left out"},
};

/// "RS-06", "NOT-FITTED", "UNLOADING": capitals, digits and dashes.
bool is_code(std::string_view word) {
  return word.size() > 4 && std::all_of(word.begin(), word.end(), [](char c) {
           return c == '-' || std::isupper(static_cast<unsigned char>(c)) ||
                  std::isdigit(static_cast<unsigned char>(c));
         });
}

}  // namespace

std::string Advice::action() const {
  return protocol.empty() ? cause : "add " + protocol + ": " + cause;
}

Advice advice_for(std::string_view reason, std::string_view path) {
  Advice advice;
  const auto space = reason.find(' ');
  const auto first = reason.substr(0, space);
  if (is_code(first)) {
    advice.code = first;
    advice.words = space == reason.npos ? "" : reason.substr(space + 1);
  } else {
    advice.words = reason;
  }
  const auto found = std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& entry) {
    return entry.code == advice.code && path.starts_with(entry.path);
  });
  if (found != kEntries.end()) {
    advice.protocol = found->protocol;
    advice.cause = found->cause;
  } else {
    advice.cause = "not determined";
  }
  return advice;
}

}  // namespace tactelier
