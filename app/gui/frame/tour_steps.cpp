// What the tour asks for, in order.

#include "app/gui/frame/tour_steps.hpp"

#include <QCoreApplication>
#include <memory>

#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/state/tour_recordings.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kTemplate = "quick";
constexpr double kSpeed = 4;  // times real time

QString tr(const char* words) { return QCoreApplication::translate("Tour", words); }

std::function<QString()> says(const QString& words) {
  return [words] { return words; };
}

bool runs(const RigLink& rig) {
  return rig.mode() == Mode::kRunning || rig.mode() == Mode::kPaused;
}

bool locked(const RigLink& rig) {
  return rig.mode() == Mode::kStopped || rig.mode() == Mode::kFault;
}

std::vector<TourStep> benchSteps(const TourContext& at) {
  auto& state = at.state;
  auto& rig = at.rig;
  auto& bench = at.bench;
  auto& actions = at.actions;
  return {
      {QStringLiteral("bench"), QStringLiteral("virtualBench"),
       [&rig] {
         if (rig.busy()) return tr("The emulators and a rig process are starting …");
         if (rig.connected() && rig.benchControl().isEmpty())
           return tr(
               "A rig of your own is connected. The tour moves the virtual bench only: "
               "disconnect first (Session › Disconnect), or skip to Fit.");
         return tr(
             "Start the virtual bench (Ctrl+T): an emulated stage, force sensor and tactile "
             "array over a simulated pad. It speaks the devices' own protocols, four times "
             "faster than real.");
       },
       20, [&bench] { return bench.isVirtual(); },
       [&rig, &actions] {
         if (!rig.owns()) actions.virtualBench->trigger();
       },
       [&bench] { bench.setVirtualSpeed(kSpeed); }},
      {QStringLiteral("bench"), QStringLiteral("safetyBar"),
       says(tr("This bar is on every page and never moves: what the rig does, the force, three "
               "streams with their age, the recording, STOP. Numbers that are old turn to a "
               "dash.")),
       12},
      {QStringLiteral("protocol"), QStringLiteral("useButton"),
       [&state] {
         return tr(
             "What will be pressed, and what that will tell, before anything moves. Choose "
             "\"quick\" at the left, look at the dry run, then press Use in Session.");
       },
       30,
       [&state] {
         const auto& choice = state.protocol().choice();
         return choice && choice->protocol == QLatin1String(kTemplate);
       },
       [&state] {
         state.protocol().choose({QString::fromLatin1(kTemplate), {}, 0});
       }},
  };
}

/// On the virtual bench alone: a rig of one's own is never moved by a tour.
TourStep onBench(const BenchDevices& bench, TourStep step) {
  step.page = QStringLiteral("session");
  step.words = [&bench, words = std::move(step.words)] {
    return bench.isVirtual() ? words()
                             : tr("The virtual bench does not run: go back to its step, or skip.");
  };
  if (step.act)
    step.act = [&bench, act = std::move(step.act)] {
      if (bench.isVirtual()) act();
    };
  return step;
}

std::vector<TourStep> sessionSteps(const TourContext& at) {
  auto& rig = at.rig;
  auto& actions = at.actions;
  std::vector<TourStep> steps = {
      {{},
       QStringLiteral("setUp"),
       says(tr("Nothing moves yet. Set-up (F4) allows it by hand: home, jog, find the surface.")),
       10,
       [&rig] { return rig.mode() != Mode::kIdle; },
       [&rig, &actions] {
         if (rig.mode() == Mode::kIdle) actions.setUp->trigger();
       }},
      {{},
       QStringLiteral("armButton"),
       says(tr("The list says what must be true before a recording begins. When all is well, arm "
               "(F5).")),
       15,
       [&rig] { return rig.mode() == Mode::kArmed || runs(rig); },
       [&rig, &actions] {
         if (rig.mode() == Mode::kSetUp) actions.arm->trigger();
       }},
      {{},
       QStringLiteral("armButton"),
       [&rig] {
         return rig.mode() == Mode::kArmed
                    ? tr("Armed for 30 s: the same key, F5, starts it.")
                    : tr("Not armed any more: go to set-up (F4), arm (F5), then start with F5.");
       },
       8,
       [&rig] { return runs(rig) || locked(rig); },
       [&rig, &actions] {
         if (rig.mode() == Mode::kArmed) actions.arm->trigger();
       }},
      {{},
       QStringLiteral("stopButton"),
       says(tr("It homes, finds surface and pad, then presses tactel after tactel: watch image and "
               "force. Now press STOP: Esc, F12 or the button. You may wait for the first "
               "presses.")),
       45,
       [&rig] { return locked(rig) || !rig.connected(); },
       [&rig] { rig.stop(); }},
      {{},
       QStringLiteral("acknowledge"),
       [&rig] {
         const auto took = rig.stopAnswer_ms();
         return (took ? tr("The rig process answered in %1 ms. ").arg(*took, 0, 'f', 1)
                      : QString()) +
                tr("Motion is locked. Look, then hold Acknowledge for a second; nothing moves by "
                   "itself afterwards.");
       },
       12,
       [&rig] { return !locked(rig); },
       [&rig] { rig.acknowledge(); }},
      {{},
       QStringLiteral("sessionRight"),
       says(tr("What was recorded is in the file; Resume would go on after its last whole press. "
               "Help › Event log has every message, STOP and fault.")),
       15},
  };
  for (auto& step : steps) step = onBench(at.bench, std::move(step));
  return steps;
}

std::vector<TourStep> fitSteps(const TourContext& at, TourRecordings& recordings) {
  auto& state = at.state;
  auto& actions = at.actions;
  // Once, however often it is asked for while it opens.
  const auto asked = std::make_shared<QString>();
  const auto open = [&state, asked](const QString& file) {
    const auto* shown = state.recording();
    const bool there = shown != nullptr && shown->recording()->path() == file;
    if (file.isEmpty() || there || (*asked == file && state.jobs().busy())) return;
    *asked = file;
    state.open(file);
  };
  const auto opened = [&state](const QString& file) {
    return !file.isEmpty() && state.recording() != nullptr &&
           state.recording()->recording()->path() == file;
  };
  return {
      {QStringLiteral("recording"), QStringLiteral("pressTable"),
       [&recordings, opened] {
         if (recordings.presses().isEmpty())
           return recordings.making()
                      ? tr("A whole recording of such a pad is being made; a few seconds more …")
                      : tr("The recording for this step could not be made: see the message above.");
         return opened(recordings.presses())
                    ? tr("A whole recording: 84 tactels pressed in 12 minutes. Arrow keys go from "
                         "press to press; image and curves follow.")
                    : tr("Open a whole recording of such a pad: 84 tactels pressed in 12 minutes.");
       },
       15, [opened, &recordings] { return opened(recordings.presses()); },
       [open, &recordings] { open(recordings.presses()); },
       [open, &recordings] { open(recordings.presses()); }},
      {QStringLiteral("fit"), QStringLiteral("resultTree"),
       [&state] {
         return state.fit().running()
                    ? tr("Fitting: results appear stage by stage.")
                    : tr("Fit it (Ctrl+R): every stage that the data allow, from contact and "
                         "response to a joint fit.");
       },
       20, [&state] { return state.model() != nullptr && !state.fit().running(); },
       [&actions, &state] {
         if (!state.fit().running()) actions.fit->trigger();
       }},
      {QStringLiteral("fit"), QStringLiteral("resultTree"),
       says(tr("Each value with its interval (95 %), or why there is none and which protocol to "
               "add. Click one: its data, curve and residual are beside it.")),
       20},
      {QStringLiteral("compare"),
       QStringLiteral("compareTriptych"),
       [&recordings] {
         return recordings.images().isEmpty() && recordings.making()
                    ? tr("Shapes are being laid on the same pad; a few seconds more …")
                    : tr("Shapes that the fit has never seen: recorded, predicted, difference. The "
                         "slider goes from image to image.");
       },
       30,
       {},
       {},
       [open, &recordings] { open(recordings.images()); }},
      {QStringLiteral("export"), QStringLiteral("formatList"),
       says(tr("The model for a simulator: each format says what it can't hold before you write "
               "it.")),
       20},
      {QStringLiteral("report"), QStringLiteral("savePdf"),
       says(tr("And the report to file, page by page as it will be printed. That was the tour; "
               "Ctrl+T ends the virtual bench.")),
       15},
  };
}

}  // namespace

std::vector<TourStep> tourSteps(const TourContext& at, TourRecordings& recordings) {
  auto steps = benchSteps(at);
  for (auto& more : {sessionSteps(at), fitSteps(at, recordings)})
    steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}

}  // namespace tactelier::gui
