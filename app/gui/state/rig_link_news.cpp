// RigLink: what the rig process says.

#include <cmath>
#include <utility>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/rig_snapshot.hpp"
#include "app/gui/text/words.hpp"

namespace tactelier::gui {
namespace {

namespace messages = rig::messages;
using messages::TaskKind;
using nlohmann::json;

constexpr double kTouching_N = 0.1;

std::int64_t committedRows(const messages::Status& status) {
  return status.recording ? status.recording->committed_rows : 0;
}

}  // namespace

void RigLink::poll() {
  if (polling_ || !connected()) return;
  polling_ = true;
  ask(messages::request("status"), [this](const json& reply) {
    polling_ = false;
    if (reply.contains("result")) takeStatus(messages::status_in(reply["result"]));
  });
}

void RigLink::hear(const json& line) {
  if (messages::is_news(line)) {
    if (const auto news = messages::news_in(line)) hearNews(*news);
    return;
  }
  if (replies_.empty()) return;
  const auto reply = std::move(replies_.front());
  replies_.pop_front();
  reply(line);
}

void RigLink::hearNews(const messages::News& news) {
  if (const auto* progress = std::get_if<messages::Progress>(&news)) {
    progress_ = *progress;
    emit changed();
  } else if (const auto* press = std::get_if<messages::Press>(&news)) {
    emit pressTold(*press);
  } else if (const auto* question = std::get_if<messages::Question>(&news)) {
    question_ = *question;
    emit asked();
    emit changed();
  } else if (const auto* wanted = std::get_if<messages::Wanting>(&news)) {
    emit wanting(wanted->end_s);
  } else if (const auto* end = std::get_if<messages::End>(&news)) {
    endTask(*end);
  }
}

void RigLink::endTask(const messages::End& end) {
  const auto task = std::exchange(task_kind_, {});
  asking_ = false;
  task_ = 0;
  status_.task.reset();  // the next one may follow at once
  progress_.reset();
  if (std::exchange(question_, std::nullopt)) emit asked();
  if (task == TaskKind::kRecord) {
    ended_ = RunEnd{end.error, messages::recorded_in(end.result), end.warnings, text(armed_.file)};
    keepTruth(ended_->file);
    emit runEnded();
  } else {
    if (task && end.error && end.error->code != ErrorCode::kCancelled)
      failure_ = tr("%1: %2").arg(taskWords(*task), text(end.error->message));
    for (const auto& warning : end.warnings) notifications_.status(text(warning.text));
  }
  if (task == TaskKind::kSurface || task == TaskKind::kRegister) renewPlaces();
  if (task == TaskKind::kJog) emit jogged();
  if (way_ && task == TaskKind::kRetract && !end.error) {
    goSideways();
  } else if (const auto way = std::exchange(way_, std::nullopt)) {
    if (!end.error) notifications_.status(tr("The tip is over tactel %1.").arg(way->tactel));
  }
  poll();
  emit changed();
}

/// What a set-up run has found stands in the rig file.
void RigLink::renewPlaces() {
  const auto file = facts_.place.rig;
  jobs_.run<RigFile>(
      {}, Lane::kQuiet, this, [file](const Job&) { return load_rig(file.string()); },
      [this, file](Result<RigFile> rig) {
        if (!rig || file != facts_.place.rig) return;
        facts_.rig = std::move(*rig);
        emit changed();
      });
}

void RigLink::takeStatus(messages::Status status) {
  const auto before = std::exchange(status_, std::move(status));
  heard_.start();
  if (committedRows(status_) != committedRows(before)) saved_.start();
  feed_.count(status_);
  if (!status_.jog_refused.empty() && status_.jog_refused != before.jog_refused)
    notifications_.status(tr("Jog: %1").arg(text(status_.jog_refused)));
  const double saved_s = saved_.isValid() ? static_cast<double>(saved_.elapsed()) * 1e-3 : 0;
  recording_words_ = gui::recordingWords(status_, saved_s);
  if ((status_.surface_found && !before.surface_found) ||
      (status_.registered && !before.registered))
    renewPlaces();
  noticeTrip(before.trip);
  // A limit that acted says it better.
  if (const auto failure = std::exchange(failure_, {}); !failure.isEmpty() && !status_.trip)
    notifications_.notify({Message::Level::kBad,
                           failure,
                           tr("The stage stands; the tip was raised where its place is known."),
                           tr("Look at the rig, then try again."),
                           {},
                           {},
                           QStringLiteral("session")});
  emit changed();
}

void RigLink::noticeTrip(const std::optional<messages::Trip>& before) {
  if (before && !status_.trip) notifications_.settled(QLatin1String(kTripMatter));
  if (!status_.trip || status_.trip == before) return;
  disarm();
  // The banner says it, the Session page what to do.
  if (status_.trip->by_hand()) return;
  const bool recorded = status_.recording || ended_ || task_kind_ == TaskKind::kRecord;
  notifications_.notify(
      {Message::Level::kBad,
       tr("The rig has stopped itself: %1.").arg(text(status_.trip->text)),
       (status_.position_trusted ? tr("Motion is locked; the position is trusted.")
                                 : tr("Motion is locked; the position is void.")) +
           (recorded ? tr(" What was recorded is in the file.") : QString()),
       whatToDo(*status_.trip),
       {},
       text(to_string(status_.trip->kind)),
       QStringLiteral("session"),
       QLatin1String(kTripMatter)});
}

/// By what acted: nothing lies under the tip of a sensor that is silent.
QString RigLink::whatToDo(const messages::Trip& trip) const {
  using rig::LimitKind;
  const auto then = status_.position_trusted ? tr("Acknowledge on the Session page.")
                                             : tr("Acknowledge on the Session page, then home.");
  QString look;
  switch (trip.kind) {
    case LimitKind::kForceAge:
    case LimitKind::kFrozen:
    case LimitKind::kSensorStatus:
      look = tr("Check the force sensor's cable and power.");
      break;
    case LimitKind::kArrayAge:
      look = tr("Check the tactile array's cable and power.");
      break;
    case LimitKind::kStageAge:
    case LimitKind::kDevice:
      look = tr("Look at the rig and its cables.");
      break;
    case LimitKind::kRecorder:
      look = tr("Look at the disk that is recorded on.");
      break;
    default:
      look = tr("Look under the tip.");
  }
  return look + QLatin1Char(' ') + then;
}

Mode RigLink::mode() const {
  if (!connected()) return isLost() ? Mode::kUnknown : Mode::kIdle;
  if (status_.trip) return status_.trip->by_hand() ? Mode::kStopped : Mode::kFault;
  const bool records = status_.task == TaskKind::kRecord ||
                       ((asking_ || task_ != 0) && task_kind_ == TaskKind::kRecord);
  if (records) {
    // Until the rig process says that it rests: nothing has moved or pressed for a while.
    const bool still = status_.stage == messages::StageActivity::kIdle && feed_.still() &&
                       std::abs(status_.force_N) < kTouching_N;
    return question_ || (status_.paused && (status_.resting || still)) ? Mode::kPaused
                                                                       : Mode::kRunning;
  }
  if (armed_timer_.isActive()) return Mode::kArmed;
  return is_set_up_ || task_ != 0 ? Mode::kSetUp : Mode::kIdle;
}

}  // namespace tactelier::gui
