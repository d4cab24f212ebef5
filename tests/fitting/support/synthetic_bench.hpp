#pragma once
// A small rig in a dozen lines of its own physics, independent of what it tests: presses tactels
// one by one and writes a session. Truth is what is put in here.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fitting/engine/stage.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::synthetic {

struct Tactel {
  double offset = 60;  // counts
  double threshold_N = 0.2;
  double gain_N_per_count = 5e-4;
  double ceiling = 1e9;  // counts, noise and all
  double noise = 4;      // counts
  bool dead = false;
  std::optional<double> stuck;  // reading, whatever happens
};

struct PressPlan {
  int tactel = 0;
  double peak_N = 1.5;
  double gain_factor = 1;  // this press's gain, as repeats scatter
  double threshold_shift_N = 0;
  std::string kind = "ramp";
  double ramp_s = 0;  // 0: the bench's
  int read_by = -1;   // the tactel that answers instead, where the wires are wrong
};

/// A dead weight that lies still on some tactels, while the tip presses another one beside it.
struct WeightPlan {
  std::vector<int> tactels;
  double force_N = 0.5;  // on each of them
  double rest_s = 25;    // before the press
  PressPlan beside;
  double after_s = 60;  // the weight before, and a second more
};

/// A stream's own clock; the rig's metadata then say "own" and rows carry t_host and seq.
struct DeviceClock {
  double start_s = 0;  // reads this at host time 0
  double skew = 0;     // its rate over the host's, less 1
  double transport_s = 1e-3;
  double jitter_s = 1e-3;    // exponential, on top
  double counter_bits = 16;  // of seq
  double gap_begin_s = 0;    // rows between are lost
  double gap_end_s = 0;
};

struct Bench {
  int rows = 2, columns = 2;
  std::vector<Tactel> tactels;  // rows * columns
  std::vector<PressPlan> presses;
  std::vector<WeightPlan> weights;  // after the presses
  double creep = 0;                 // of readings, per decade of time
  double stiffness_N_per_m = 2000;
  double surface_m = 5e-4;  // travel at first touch
  double compliance_m_per_N = 0;
  double force_noise_N = 2e-3;
  double force_bias_N = 0.05;
  double hysteresis = 0;  // unloading reads this share of full range more, at mid-force
  double rate_hz = 200;
  double free_s = 0.5;           // free air before and after each press
  double ramp_s = 1.5;           // each way
  double plate_N = 0;            // peak of a plate press before all others; 0: none
  std::string press_axis = "z";  // along which pressing reads positive
  std::string described_axis;    // what session.json says instead; "": the truth
  std::optional<DeviceClock> force_clock, tactile_clock;
  double latency_s = 0;        // of the tactile stream
  bool floor_at_zero = false;  // readings below 0 are cut to 0
  std::string metadata_extra;  // further members of session.json, ", \"rig\": {...}"
  std::string sensor_extra = R"(, "adc": {"bits": 12, "min": 0, "max": 4095})";
  std::uint64_t seed = 1;

  /// All tactels alike, each pressed `repeats` times.
  static Bench uniform(int rows, int columns, int repeats, const Tactel& tactel = {});
};

/// Writes `bench` to a new file in a folder of its own and opens it. The folder is removed with the
/// object.
class Recording {
 public:
  explicit Recording(const Bench& bench);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  const Session& session() const { return *session_; }
  FitSession fit_session() const;
  /// Runs the named stages on this recording alone.
  Result<SensorModel> fit(std::vector<std::string> stages, const FitOptions& options = {},
                          const Job& job = {}) const;

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Session> session_;
};

}  // namespace tactelier::synthetic
