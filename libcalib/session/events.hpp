#pragma once
// Events: what was done when. Stored as they came (decimal time, name, canonical JSON); the typed
// views below are what fitting reads.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/result.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/session/decimal.hpp"
#include "libcalib/session/press_kind.hpp"

namespace tactelier {

struct SessionMetadata;

struct Event {
  Decimal t_s;       // host clock, seconds from `created`
  std::string name;  // "press_begin"
  std::string data;  // canonical JSON object, "{}" when there is none

  bool operator==(const Event&) const = default;
};

/// Checks one event's name and data against data/schemas/event.schema.json; the message says what
/// is wrong with which key. `data_text` may be any JSON text; Event::data is its canonical form.
Result<Event> make_event(Decimal t_s, std::string_view name, std::string_view data_text,
                         std::string_view where);

/// A later decision; never changes what was recorded (docs/session-format.md).
struct Edit {
  enum class Kind { kExclude, kInclude, kContact, kNote };
  Kind kind{};
  int press = 0;         // exclude, include, contact
  double contact_s = 0;  // contact: host time of first touch; NaN: where the data have it
  std::string note;
  std::string time;  // UTC
  std::string author;

  std::string describe() const;  // "exclude press 7", for provenance
};

struct Hold {
  double begin_s = 0;
  double end_s = 0;
  std::optional<double> force_N;
  std::optional<double> depth_m;
};

/// One press, edits applied.
struct Press {
  int number = 0;
  double begin_s = 0;  // in free air
  double end_s = 0;
  std::optional<int> tactel;  // absent for a press between tactels
  std::optional<double> x_m;  // sensor frame
  std::optional<double> y_m;
  PressKind kind = PressKind::kRamp;
  std::optional<int> site;
  std::optional<Indenter> indenter;  // the press's own, else the session's
  std::string outcome = "ok";        // docs/session-format.md
  std::vector<Hold> holds;
  bool excluded = false;            // by an edit
  std::optional<double> contact_s;  // contact point set by hand

  bool usable() const { return !excluded && outcome == "ok"; }
};

struct Weight {
  double t_s = 0;
  double mass_kg = 0;
  double area_m2 = 0;
  std::optional<double> compression_m;
  std::optional<double> stated_pressure_Pa;  // what somebody wrote down, to be checked (CV-06)
};

/// Every place that counts from here on has been loaded so often, so far, and has rested since.
struct Conditioning {
  double t_s = 0;
  int cycles = 0;
  int sites = 0;
  std::optional<double> depth_m, force_N;  // what its presses ended at
  double rest_s = 0;

  std::string describe() const;  // "3 cycles at 25 places to 0.96 mm, 60 s of rest"
};

struct Interval {
  double begin_s = 0;
  double end_s = 0;
};

/// Pairs press_begin with press_end, holds with their press, applies edits, in order of begin. A
/// press that never ends (the recording was cut off) ends with the last event and counts as
/// aborted; edits of a press that isn't there have no effect. Fails with kInvalidInput on an end
/// without begin, a press twice, a tactel that the sensor lacks.
Result<std::vector<Press>> presses(std::span<const Event> events, std::span<const Edit> edits,
                                   const SessionMetadata& metadata);
/// In order of time.
Result<std::vector<Weight>> weights(std::span<const Event> events);
/// In order of time.
Result<std::vector<Conditioning>> conditionings(std::span<const Event> events);
/// Pairs NAME_begin with NAME_end: "zero", "plate", "ground", "reference"; one that never ends is
/// left out. Fails with kInvalidInput on an end without begin and a begin inside another.
Result<std::vector<Interval>> intervals(std::span<const Event> events, std::string_view name);

}  // namespace tactelier
