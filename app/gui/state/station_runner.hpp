#pragma once
// The station in the window: run_station() on a thread of its own, and between that thread and the
// page what is asked, what is done and what came of it. The order of things is not here but in
// app/workflow/station.

#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "app/gui/state/jobs.hpp"
#include "app/workflow/station/station.hpp"

namespace tactelier::gui {

/// What the page says now.
struct StationMoment {
  StationPrompt at;  // while somebody is waited for; else its step and serial alone
  bool waits = false;
  std::string what;      // the rig's or the fit's own words
  double fraction = -1;  // of it; negative while unknown
};

/// A question of the rig process.
struct StationQuestion {
  std::string text, answer_key;
};

class StationRunner : public QObject {
  Q_OBJECT
 public:
  /// `jobs` outlives the runner and ends before it.
  explicit StationRunner(Jobs& jobs, QObject* parent = nullptr);

  /// Checks the settings and begins; says why not by ended().
  void begin(const StationSettings& settings);
  bool running() const { return job_ != 0; }
  /// Of the station that runs or ran last.
  const StationSettings& settings() const { return settings_; }

  /// Nothing before the settings were found good.
  const std::optional<StationMoment>& now() const { return now_; }
  const std::optional<StationQuestion>& question() const { return question_; }
  /// Why it ended by itself; "" when somebody ended it.
  const std::string& failure() const { return failure_; }

  /// A line that was typed or scanned. Nothing happens while nobody is waited for, and a
  /// confirmation within `settle_ms` of its prompt is taken as the end of a scanner's line: neither
  /// a second line end nor a code that is read twice says that hands are off.
  void enter(const QString& line);
  void setSettleTime(int settle_ms) { settle_ms_ = settle_ms; }
  void answer(std::optional<double> value);
  /// After the sensor at hand; at a prompt at once.
  void end();
  bool ending() const { return ending_; }
  /// In order, as Ctrl-C does: the tip goes up, what was recorded is kept.
  void cancel();

  /// Where tests put another rig.
  using MakeRig = std::function<std::unique_ptr<StationRig>(const RigPlace&)>;
  void setRig(MakeRig make) { make_rig_ = std::move(make); }

 signals:
  void changed();
  void begun();  // the settings are good
  void judged(const StationLabel& label);
  void told(const QString& line);
  void notMeasured(const QString& serial, const QString& why);
  void ended();

 private:
  class Bridge;
  void take(const std::function<void()>& news);
  void finish(const Result<StationTally>& tally);

  Jobs& jobs_;
  MakeRig make_rig_;
  StationSettings settings_;
  std::shared_ptr<Bridge> bridge_;
  std::optional<StationMoment> now_;
  std::optional<StationQuestion> question_;
  std::string failure_;
  QElapsedTimer asked_;
  int settle_ms_ = 400;
  bool ending_ = false;
  int job_ = 0;
};

}  // namespace tactelier::gui
