#pragma once
// The rig as the window knows it: mirrors the rig process, asks it for what the user wants, and
// decides nothing itself. Mode and limits are the process's; SET-UP and ARMED are the window's own
// caution on top.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "app/gui/state/mode.hpp"
#include "app/gui/state/rig_connection.hpp"
#include "app/gui/state/rig_feed.hpp"
#include "app/gui/state/rig_wire.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::gui {

class AppState;
class FileHistory;
class Jobs;
class Notifications;

/// How a recording ended.
struct RunEnd {
  std::optional<Error> error;
  rig::messages::Recorded recorded;  // where there is no error
  Warnings warnings;
  QString file;
};

class RigLink : public QObject {
  Q_OBJECT
 public:
  /// `state` outlives the link.
  explicit RigLink(AppState& state, QObject* parent = nullptr);
  ~RigLink() override;

  // --- Connection ------------------------------------------------------------------------------
  /// A rig process by its files; started when it isn't there. Nothing moves.
  void connectTo(const RigPlace& place);
  /// Emulated devices in this program.
  void connectVirtual(double speed);
  /// The rig that was lost.
  void reconnect();
  void take(RigConnection connection);
  void disconnectRig();
  bool connected() const { return wire_ != nullptr; }
  bool busy() const { return job_ != 0; }
  /// The connection broke: what the stage does is unknown until somebody connects again or has
  /// looked.
  bool isLost() const { return !lost_.isEmpty(); }
  /// Somebody has looked: the stage stands.
  void forgetLoss();
  /// There is a rig, there was one, or one is being connected: nobody else opens devices, and what
  /// the window says of a rig is said of this one.
  bool owns() const { return connected() || busy() || isLost(); }
  /// Of emulated devices in this program; "" without any.
  QString benchControl() const;
  /// Asked before devices are opened: whoever holds some hands over what closes them.
  void setGiveWay(std::function<std::shared_ptr<void>()> give_way) {
    give_way_ = std::move(give_way);
  }
  const RigFacts& facts() const { return facts_; }
  /// The `tactelier` that serves; "": the one beside this program.
  void setProgram(const std::filesystem::path& program) { program_ = program; }

  // --- What is known ---------------------------------------------------------------------------
  Mode mode() const;
  const rig::messages::Status& status() const { return status_; }
  const RigFeed& feed() const { return feed_; }
  const std::optional<rig::LiveFrame>& live() const { return feed_.newest(); }
  const std::optional<rig::messages::Progress>& progress() const { return progress_; }
  const std::optional<rig::messages::Question>& question() const { return question_; }
  const std::optional<RunEnd>& ended() const { return ended_; }
  /// The file of the recording that was begun last.
  QString target() const;
  /// Something is being done: one task at a time.
  bool working() const { return task_ != 0 || asking_ || status_.task; }
  bool motionPossible() const { return connected() || isLost(); }
  /// Of the task that runs, as far as it is this window's.
  std::optional<rig::messages::TaskKind> taskKind() const { return task_kind_; }
  int armedLeft_ms() const { return armed_timer_.remainingTime(); }
  /// Until the rig process had the last STOP.
  std::optional<double> stopAnswer_ms() const { return stop_ms_; }
  const StopLine* stopLine() const { return stop_line_.get(); }
  /// The recording's size, age and disk; "" without one.
  const QString& recordingWords() const { return recording_words_; }
  /// The rig process has answered within 300 ms.
  bool statusFresh() const { return heard_.isValid() && heard_.elapsed() < 300; }

  // --- Wishes ----------------------------------------------------------------------------------
  /// Written before this returns.
  void stop();
  void acknowledge();
  /// IDLE <-> SET-UP.
  void setSetUp(bool on);
  /// SET-UP -> ARMED for 30 s; then start() begins what was armed.
  void arm(const rig::messages::RecordOrder& order);
  void disarm();
  void start();
  void pause(bool on);
  void skip();
  void repeat();
  void undo();
  /// Into the recording that runs.
  void note(const QString& text);
  void finish();
  void cancel();
  /// Whatever else runs goes on.
  void haltJog() { tell("halt"); }
  void answer(std::optional<double> value);
  /// What comes behind the steps of a recording that grows: once wanting().
  void give(const rig::messages::FurtherOrder& order);
  /// kHome, kSurface, kRegister, kRetract.
  void run(rig::messages::TaskKind task);
  /// One increment; refused outside of SET-UP and PAUSED, and in SET-UP while another one is on its
  /// way.
  bool jog(const std::array<double, 3>& by_mm, double speed_mm_per_s);
  bool mayJog() const;
  /// Until the tip is over that tactel: up to the safe height where it is lower, then sideways. In
  /// SET-UP, once the pad is registered (tip_place.hpp).
  void goOver(int tactel, double speed_mm_per_s);
  /// The summary is read.
  void forgetEnd();

 signals:
  void changed();      // a few times a second
  void linkChanged();  // connected or not
  void frame();        // live() is new
  void asked();        // question() is new, or gone
  void pressTold(const rig::messages::Press& press);
  void wanting(double end_s);  // a recording that grows: its last steps have begun
  void runBegun();
  void runEnded();
  void jogged();  // the increment is over
  /// What somebody asked of the recording that runs, in words.
  void wished(const QString& words);
  void stopAnswered(double latency_ms);

 private:
  using Reply = std::function<void(const nlohmann::json&)>;
  void open(const QString& name, std::function<Result<RigConnection>(const Job&)> connect);
  void ask(const nlohmann::json& request, Reply reply);
  void tell(const char* what);
  void begin(rig::messages::TaskKind task, const nlohmann::json& request);
  void poll();
  void hear(const nlohmann::json& line);
  void hearNews(const rig::messages::News& news);
  void endTask(const rig::messages::End& end);
  void takeStatus(rig::messages::Status status);
  void renewPlaces();
  void goSideways();
  void noticeTrip(const std::optional<rig::messages::Trip>& before);
  QString whatToDo(const rig::messages::Trip& trip) const;
  void lose();
  void stopLost();
  void keepTruth(const QString& recording) const;
  void hangUp();
  void dropBench();

  // What messages are about that are over by themselves.
  static constexpr auto kLostMatter = "rig process lost";
  static constexpr auto kTripMatter = "rig locked";

  Jobs& jobs_;
  Notifications& notifications_;
  FileHistory& files_;
  std::filesystem::path program_;
  int job_ = 0;
  RigFacts facts_;
  std::function<std::shared_ptr<void>()> give_way_;
  std::filesystem::path socket_;
  std::shared_ptr<StartedBench> bench_;
  std::shared_ptr<TemporaryFolder> folder_;
  std::unique_ptr<RigWire> wire_;
  std::unique_ptr<RigLiveWire> live_wire_;
  std::unique_ptr<StopLine> stop_line_;
  std::deque<Reply> replies_;

  QTimer poll_, set_up_, armed_timer_;
  bool polling_ = false;
  rig::messages::Status status_;
  RigFeed feed_;
  QElapsedTimer heard_, saved_;
  bool is_set_up_ = false;
  rig::messages::RecordOrder armed_;
  int task_ = 0;         // ours that runs
  bool asking_ = false;  // for a task: not answered yet
  std::optional<rig::messages::TaskKind> task_kind_;
  struct Way {
    int tactel = 0;
    double speed_mm_per_s = 0;
  };
  std::optional<Way> way_;  // that goOver() has begun
  std::optional<rig::messages::Progress> progress_;
  std::optional<rig::messages::Question> question_;
  std::optional<RunEnd> ended_;
  std::optional<double> stop_ms_;
  QString recording_words_;
  QString failure_;  // of a task, until the next status says whether a limit acted
  QString lost_;     // why the connection broke; until somebody connects again or has looked
};

}  // namespace tactelier::gui
