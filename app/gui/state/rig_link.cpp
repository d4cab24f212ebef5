#include "app/gui/state/rig_link.hpp"

#include <sys/socket.h>

#include <QFile>
#include <QFileInfo>
#include <utility>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/known_truth.hpp"
#include "app/gui/state/tip_place.hpp"
#include "devices/server/rig_socket.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

namespace messages = rig::messages;
using messages::TaskKind;
using nlohmann::json;

constexpr int kPoll_ms = 100;
constexpr int kNextJog_ms = 150;  // while paused: before the increment at hand (0.2 s) ends
constexpr int kSetUp_ms = 5 * 60 * 1000;
constexpr int kArmed_ms = 30 * 1000;
constexpr auto kPage = "session";  // where one deals with a rig

}  // namespace

RigLink::RigLink(AppState& state, QObject* parent)
    : QObject(parent),
      jobs_(state.jobs()),
      notifications_(state.notifications()),
      files_(state.files()) {
  poll_.setInterval(kPoll_ms);
  connect(&poll_, &QTimer::timeout, this, &RigLink::poll);
  set_up_.setSingleShot(true);
  set_up_.setInterval(kSetUp_ms);
  connect(&set_up_, &QTimer::timeout, this, [this] { setSetUp(false); });
  armed_timer_.setSingleShot(true);
  armed_timer_.setInterval(kArmed_ms);
  connect(&armed_timer_, &QTimer::timeout, this, &RigLink::disarm);
}

RigLink::~RigLink() {
  if (wire_ != nullptr && facts_.is_virtual && bench_ != nullptr)
    wire_->send(messages::request("quit"));
}

// --- Connection ----------------------------------------------------------------------------------

void RigLink::open(const QString& name, std::function<Result<RigConnection>(const Job&)> connect) {
  if (job_ != 0) jobs_.cancel(std::exchange(job_, 0));
  if (connected()) disconnectRig();
  auto held = std::make_shared<std::shared_ptr<void>>(give_way_ ? give_way_() : nullptr);
  auto id = std::make_shared<int>(0);
  *id = jobs_.run<RigConnection>(
      name, Lane::kWork, this,
      [connect = std::move(connect), held](const Job& job) {
        held->reset();  // a device has one reader
        return connect(job);
      },
      [this, id](Result<RigConnection> connection) {
        if (job_ != *id) return;  // another was chosen meanwhile
        job_ = 0;
        if (connection) return take(std::move(*connection));
        emit linkChanged();
        emit changed();
        if (connection.error().code == ErrorCode::kCancelled) return;
        notifications_.notify({Message::Level::kBad,
                               text(connection.error().message),
                               isLost() ? tr("The stage may still move; no rig is connected.")
                                        : tr("Nothing moves; no rig is connected."),
                               tr("Mend what it names, then connect again."),
                               {},
                               {},
                               QLatin1String(kPage)});
      });
  job_ = *id;
  emit linkChanged();
  emit changed();
}

void RigLink::connectTo(const RigPlace& place) {
  open(tr("Connect to the rig"),
       [place, program = program_](const Job& job) { return connectRig(place, program, job); });
}

void RigLink::connectVirtual(double speed) {
  open(tr("Start the virtual bench"), [speed, program = program_](const Job& job) {
    return connectVirtualRig(speed, program, job);
  });
}

/// Emulated devices go on without their rig process, as real ones do.
void RigLink::reconnect() {
  open(tr("Connect to the rig again"), [place = facts_.place, bench = bench_, folder = folder_,
                                        program = program_](const Job& job) {
    auto connection = connectRig(place, program, job);
    if (!connection) return connection;
    connection->bench = bench;
    connection->folder = folder;
    return connection;
  });
}

void RigLink::take(RigConnection connection) {
  if (bench_ != connection.bench) dropBench();
  facts_ = std::move(connection.facts);
  socket_ = std::move(connection.socket);
  bench_ = std::move(connection.bench);
  folder_ = std::move(connection.folder);
  wire_ = std::make_unique<RigWire>(std::move(connection.command), this);
  live_wire_ = std::make_unique<RigLiveWire>(std::move(connection.live), this);
  stop_line_ = std::make_unique<StopLine>(std::move(connection.stop), this);
  status_ = {};
  feed_.begin(facts_.time_scale);
  lost_.clear();
  for (const auto* matter : {kLostMatter, kTripMatter})
    notifications_.settled(QLatin1String(matter));
  connect(wire_.get(), &RigWire::received, this, &RigLink::hear);
  connect(wire_.get(), &RigWire::closed, this, &RigLink::lose);
  connect(live_wire_.get(), &RigLiveWire::frame, this, [this](const rig::LiveFrame& seen) {
    feed_.take(seen);
    emit frame();
  });
  connect(stop_line_.get(), &StopLine::answered, this, [this](double latency_ms) {
    stop_ms_ = latency_ms;
    notifications_.status(
        tr("STOP: the rig process answered in %1 ms.").arg(latency_ms, 0, 'f', 1));
    emit stopAnswered(latency_ms);
    poll();
  });
  poll_.start();
  poll();
  emit linkChanged();
  emit changed();
}

void RigLink::disconnectRig() {
  const bool was = owns();
  if (job_ != 0) jobs_.cancel(std::exchange(job_, 0));
  if (connected() && bench_ != nullptr)
    wire_->send(messages::request("quit"));  // its devices end with it
  hangUp();
  dropBench();
  lost_.clear();
  for (const auto* matter : {kLostMatter, kTripMatter})
    notifications_.settled(QLatin1String(matter));
  if (!was) return;
  emit linkChanged();
  emit changed();
}

/// Forgets all that the rig process has said.
void RigLink::hangUp() {
  poll_.stop();
  armed_timer_.stop();
  set_up_.stop();
  // They may be the ones that are calling.
  for (QObject* gone :
       std::initializer_list<QObject*>{wire_.release(), live_wire_.release(), stop_line_.release()})
    if (gone != nullptr) {
      gone->disconnect(this);
      gone->deleteLater();
    }
  replies_.clear();
  polling_ = asking_ = is_set_up_ = false;
  task_ = 0;
  status_ = {};
  feed_.forget();
  way_.reset();
  progress_.reset();
  question_.reset();
  stop_ms_.reset();
}

/// Its thread ends elsewhere.
void RigLink::dropBench() {
  if (bench_ != nullptr)
    jobs_.run<int>(
        tr("Disconnect"), Lane::kQuiet, &jobs_,
        [held = std::make_shared<std::shared_ptr<StartedBench>>(std::move(bench_)),
         folder = std::move(folder_)](const Job&) -> Result<int> {
          held->reset();
          return 0;
        },
        [](const Result<int>&) {});
  bench_.reset();
  folder_.reset();
}

void RigLink::lose() {
  const bool ran = status_.task == TaskKind::kRecord || progress_.has_value();
  // Before it records, set-up runs: a resumed recording is there all the same.
  const auto file = status_.recording ? text(status_.recording->file) : target();
  const auto task = task_kind_;
  hangUp();
  lost_ = tr("The rig process has ended.");
  if (ran && task == TaskKind::kRecord) {
    ended_ = RunEnd{Error{ErrorCode::kIo, lost_.toStdString()}, {}, {}, file};
    keepTruth(file);
    emit runEnded();
  }
  notifications_.notify(
      {Message::Level::kBad,
       lost_,
       tr("The stage may still move: it finishes what it was told; no descent is queued "
          "that ends where the force is unsafe. The file is whole up to its last quarter of "
          "a second."),
       tr("Look at the rig. On the Session page connect again, or say that the stage "
          "stands; then resume the recording."),
       {},
       {},
       QLatin1String(kPage),
       QLatin1String(kLostMatter)});
  emit linkChanged();
  emit changed();
}

void RigLink::forgetLoss() {
  if (isLost() && !busy()) disconnectRig();
}

/// Of the virtual bench: beside the recording, where the Fit page looks for it.
void RigLink::keepTruth(const QString& recording) const {
  if (bench_ == nullptr || folder_ == nullptr || !QFileInfo::exists(recording)) return;
  const auto kept = KnownTruth::fileOf(recording);
  if (!QFileInfo::exists(kept)) QFile::copy(text((folder_->path() / kBenchTruth).string()), kept);
}

QString RigLink::benchControl() const {
  return bench_ != nullptr ? text(bench_->bench->endpoints().control) : QString();
}

// --- Wishes --------------------------------------------------------------------------------------

void RigLink::ask(const json& request, Reply reply) {
  if (!connected()) return;
  replies_.push_back(std::move(reply));
  wire_->send(request);
}

void RigLink::tell(const char* what) {
  ask(messages::request(what), [](const json&) {});
  poll();
}

void RigLink::stop() {
  way_.reset();
  if (isLost()) return stopLost();
  if (stop_line_ != nullptr && !stop_line_->press()) tell("stop");
}

/// Somebody may have started a rig process for that stage meanwhile.
void RigLink::stopLost() {
  constexpr std::string_view kStop = "{\"do\": \"stop\"}\n";
  const auto heard = rig::connect_socket(socket_);
  const bool sent =
      heard && ::send(heard->get(), kStop.data(), kStop.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
                   static_cast<ssize_t>(kStop.size());
  notifications_.status(
      sent ? tr("STOP: sent to another rig process of this stage. If it moves on, use "
                "the emergency stop, or cut the power.")
           : tr("STOP: nobody hears it, the rig process has ended. Use the "
                "emergency stop, or cut the power."));
}

void RigLink::note(const QString& text) {
  ask(messages::note_request(text.toStdString()), [](const json&) {});
  emit wished(tr("Note: %1").arg(text));
}

void RigLink::skip() {
  tell("skip");
  emit wished(tr("Skip the press at hand."));
}

void RigLink::repeat() {
  tell("repeat");
  emit wished(tr("Repeat the press at hand."));
}

void RigLink::undo() {
  tell("undo");
  emit wished(tr("Undo the last press."));
}

void RigLink::finish() {
  tell("finish");
  emit wished(tr("End the recording after the press at hand."));
}

QString RigLink::target() const { return text(armed_.file); }

void RigLink::acknowledge() {
  ask(messages::request("acknowledge"), [this](const json& reply) {
    if (const auto error = messages::error_in(reply))
      notifications_.status(tr("Not acknowledged: %1").arg(text(error->message)));
  });
  poll();
}

void RigLink::setSetUp(bool on) {
  armed_timer_.stop();
  is_set_up_ = on && connected();
  if (is_set_up_)
    set_up_.start();
  else
    set_up_.stop();
  emit changed();
}

void RigLink::arm(const messages::RecordOrder& order) {
  if (mode() != Mode::kSetUp || working()) return;
  armed_ = order;
  armed_timer_.start();
  emit changed();
}

void RigLink::disarm() {
  armed_timer_.stop();
  if (is_set_up_) set_up_.start();
  emit changed();
}

void RigLink::start() {
  if (mode() != Mode::kArmed) return;
  armed_timer_.stop();
  ended_.reset();
  begin(TaskKind::kRecord, to_json(armed_));
  files_.note(text(armed_.file));
  emit runBegun();
}

void RigLink::pause(bool on) { tell(on ? "pause" : "resume"); }

void RigLink::answer(std::optional<double> value) {
  if (!question_) return;
  ask(messages::answer_request(value), [](const json&) {});
  question_.reset();
  emit asked();
}

void RigLink::give(const messages::FurtherOrder& order) {
  ask(to_json(order), [this](const json& reply) {
    if (const auto error = messages::error_in(reply))
      notifications_.status(tr("Further presses: %1").arg(text(error->message)));
  });
}

void RigLink::run(TaskKind task) {
  if (mode() == Mode::kSetUp && !working())
    begin(task, messages::task_request(task, task != TaskKind::kRegister));
}

bool RigLink::mayJog() const {
  return mode() == Mode::kSetUp || (mode() == Mode::kPaused && status_.resting && !question_);
}

bool RigLink::jog(const std::array<double, 3>& by_mm, double speed_mm_per_s) {
  if (!mayJog()) return false;
  const rig::JogWay way{{mm_to_m(by_mm[0]), mm_to_m(by_mm[1]), mm_to_m(by_mm[2])},
                        mm_to_m(speed_mm_per_s)};
  const auto request = messages::jog_request(way);
  if (mode() == Mode::kPaused) {
    ask(request, [this](const json& reply) {
      if (messages::error_in(reply)) return;
      QTimer::singleShot(kNextJog_ms, this, [this] { emit jogged(); });
    });
    return true;
  }
  if (working()) return false;
  begin(TaskKind::kJog, request);
  return true;
}

void RigLink::goOver(int tactel, double speed_mm_per_s) {
  if (mode() != Mode::kSetUp || working() || !wayOver(*this, tactel)) return;
  way_ = {tactel, speed_mm_per_s};
  if (atSafeHeight(*this)) return goSideways();
  begin(TaskKind::kRetract, messages::task_request(TaskKind::kRetract, true));
}

void RigLink::goSideways() {
  const auto by_m = way_ ? wayOver(*this, way_->tactel) : std::nullopt;
  if (!by_m ||
      !jog({m_to_mm((*by_m)[0]), m_to_mm((*by_m)[1]), m_to_mm((*by_m)[2])}, way_->speed_mm_per_s))
    way_.reset();
}

void RigLink::cancel() {
  way_.reset();
  tell("cancel");
}

void RigLink::begin(TaskKind task, const json& request) {
  asking_ = true;
  task_kind_ = task;
  set_up_.start();
  ask(request, [this](const json& reply) {
    if (!asking_) return;  // it was over before the answer
    asking_ = false;
    if (const auto error = messages::error_in(reply)) return endTask({error, {}, {}});
    task_ = messages::task_in(reply);
    emit changed();
  });
  emit changed();
}

void RigLink::forgetEnd() {
  ended_.reset();
  emit changed();
}

}  // namespace tactelier::gui
