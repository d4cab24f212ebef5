#include "app/gui/state/app_state.hpp"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>

#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {
namespace {

constexpr auto kRecentKey = "recent_files";
constexpr auto kFolderKey = "library_folder";
constexpr int kMaxRecent = 12;

}  // namespace

AppState::AppState(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), undo_(this), jobs_(this) {
  new RigLink(*this, this);
  new BenchDevices(*this, this);
  connect(&jobs_, &Jobs::cancelling, this,
          [this](const QString& name) { emit statusTold(tr("Cancelling: %1").arg(name)); });
  connect(&fit_choice_, &FitChoice::changed, this, &AppState::outdate);
}

AppState::~AppState() {
  delete &bench();  // while there are jobs to close its devices
  jobs_.cancelAll();
}

RigLink& AppState::rig() { return *findChild<RigLink*>({}, Qt::FindDirectChildrenOnly); }

BenchDevices& AppState::bench() {
  return *findChild<BenchDevices*>({}, Qt::FindDirectChildrenOnly);
}

// --- Files ---------------------------------------------------------------------------------------

void AppState::open(const QString& path) {
  const QFileInfo info(path);
  const auto clean = info.absoluteFilePath();
  if (!info.exists()) {
    tell(Message::Level::kBad, tr("%1: no such file or folder.").arg(clean),
         tr("Nothing was opened."), tr("Choose another with Ctrl+O."));
    return;
  }
  if (info.isDir() && !QFileInfo::exists(clean + QStringLiteral("/session.json"))) {
    setLibraryFolder(clean);
    return;
  }
  if (info.suffix().compare(QStringLiteral("csv"), Qt::CaseInsensitive) == 0) {
    tell(Message::Level::kLook, tr("%1 is a table from elsewhere.").arg(info.fileName()),
         tr("Nothing was opened."),
         tr("Import it with File › Import: a map file says which column is what."));
    return;
  }
  const bool model = info.isFile() && info.suffix() == QStringLiteral("json");
  if (model && model_ != nullptr && !model_saved_ && may_discard_ && !may_discard_()) return;
  if (model)
    openModel(clean);
  else
    openRecording(clean);
}

void AppState::openRecording(const QString& path) {
  for (const auto& document : recordings_) {
    if (document->recording()->path() != path) continue;
    setRecording(document.get());
    emit recordingOpened();
    return;
  }
  jobs_.run<RecordingPtr>(
      tr("Open %1").arg(QFileInfo(path).fileName()), Lane::kWork, this,
      [path](const Job& job) { return Recording::open(path, job); },
      [this](Result<RecordingPtr> opened) {
        if (opened)
          addRecording(std::move(*opened));
        else
          failed(opened.error(), tr("Nothing was opened."),
                 tr("Choose another file, or restore a copy of this one."));
      });
}

void AppState::addRecording(RecordingPtr recording) {
  auto document = std::make_unique<RecordingDocument>(std::move(recording), jobs_);
  auto* added = document.get();
  undo_.addStack(added->undoStack());
  connect(added, &RecordingDocument::message, this, &AppState::messageRaised);
  connect(added, &RecordingDocument::pressChanged, this, [this, added](int press) {
    outdate();
    if (added == current_) emit pressChanged(press);
  });
  connect(added, &RecordingDocument::editsWritten, this, &AppState::startFit);
  connect(added, &RecordingDocument::damageFound, this, [this, added] {
    sayDamage(*added);
    if (added == current_) emit damageFound();
  });
  recordings_.push_back(std::move(document));
  // A second one is only looked at: two pads in one fit are somebody's decision.
  if (fit_choice_.empty()) {
    const QSignalBlocker quiet(fit_choice_);  // opening fits nothing
    fit_choice_.setUsed(added, true);
  }
  noteRecent(added->recording()->path());
  emit recordingsChanged();
  setRecording(added);
  emit recordingOpened();
  if (!added->damage().empty()) sayDamage(*added);
  checkRecording(added);
  for (const auto& warning : added->recording()->warnings())
    emit statusTold(text(warning.where + ": " + warning.text));
}

QStringList AppState::recentFiles() const {
  return settings_.value(QLatin1String(kRecentKey)).toStringList();
}

void AppState::noteRecent(const QString& path) {
  auto files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kMaxRecent) files.removeLast();
  settings_.setValue(QLatin1String(kRecentKey), files);
  emit recentFilesChanged();
}

QString AppState::libraryFolder() const {
  return settings_
      .value(QLatin1String(kFolderKey), QDir::homePath() + QStringLiteral("/Measurements"))
      .toString();
}

void AppState::setLibraryFolder(const QString& folder) {
  settings_.setValue(QLatin1String(kFolderKey), folder);
  emit libraryFolderChanged();
}

// --- Recordings ----------------------------------------------------------------------------------

std::vector<RecordingDocument*> AppState::recordings() const {
  std::vector<RecordingDocument*> all;
  for (const auto& document : recordings_) all.push_back(document.get());
  return all;
}

void AppState::setRecording(RecordingDocument* document) {
  if (document == current_) return;
  current_ = document;
  undo_.setActiveStack(document != nullptr ? document->undoStack() : nullptr);
  chosen_press_.reset();
  chosen_tactel_.reset();
  if (document != nullptr && !document->presses().empty())
    chosen_press_ = document->presses().front().number;
  emit recordingChanged();
  emit pressChosen();
}

void AppState::closeRecording(RecordingDocument* document) {
  const auto found = std::find_if(recordings_.begin(), recordings_.end(),
                                  [=](const auto& d) { return d.get() == document; });
  if (found == recordings_.end()) return;
  const auto keep = std::move(*found);
  damaged_.remove(keep->recording()->path());
  recordings_.erase(found);
  undo_.removeStack(keep->undoStack());
  fit_choice_.forget(document);
  if (current_ == document) setRecording(recordings_.empty() ? nullptr : recordings_.back().get());
  emit recordingsChanged();
}

void AppState::choosePress(std::optional<int> press) {
  if (press == chosen_press_) return;
  chosen_press_ = press;
  emit pressChosen();
}

void AppState::chooseTactel(std::optional<int> tactel) {
  if (tactel == chosen_tactel_) return;
  chosen_tactel_ = tactel;
  emit tactelChosen();
}

void AppState::failed(const Error& error, const QString& safe, const QString& todo) {
  if (error.code == ErrorCode::kCancelled) {
    emit statusTold(tr("Cancelled. %1").arg(safe));
    return;
  }
  tell(Message::Level::kBad, text(error.message), safe, todo);
}

// --- Model and fit -------------------------------------------------------------------------------

void AppState::openModel(const QString& path) {
  struct Opened {
    ModelPtr model;
    Warnings warnings;
  };
  jobs_.run<Opened>(
      tr("Open %1").arg(QFileInfo(path).fileName()), Lane::kWork, this,
      [path](const Job&) -> Result<Opened> {
        auto model = read_model(path.toStdString());
        if (!model) return fail(model.error());
        auto warnings = check_model(*model);
        return Opened{std::make_shared<const SensorModel>(std::move(*model)), std::move(warnings)};
      },
      [this, path](Result<Opened> opened) {
        if (!opened) {
          failed(opened.error(), tr("Nothing was opened."), tr("Choose a sensor model file."));
          return;
        }
        noteRecent(path);
        setModel(std::move(opened->model), std::move(opened->warnings), path);
        emit modelOpened();
      });
}

void AppState::setModel(ModelPtr model, Warnings warnings, const QString& file) {
  model_ = std::move(model);
  model_warnings_ = std::move(warnings);
  model_file_ = file;
  model_saved_ = !file.isEmpty();
  model_outdated_ = false;
  fitted_here_ = false;
  fit_stages_.clear();  // they were another model's
  emit modelChanged();
}

void AppState::saveModel(const QString& file) {
  if (model_ == nullptr) return;
  struct Saved {};
  jobs_.run<Saved>(
      tr("Save %1").arg(QFileInfo(file).fileName()), Lane::kOrdered, this,
      [model = model_, file](const Job&) -> Result<Saved> {
        if (auto done = write_model(*model, file.toStdString()); !done) return fail(done.error());
        return Saved{};
      },
      [this, file, model = model_](Result<Saved> saved) {
        if (!saved) {
          failed(saved.error(), tr("The model is still open here; nothing half-written was left."),
                 tr("Save it elsewhere."));
          return;
        }
        if (model == model_) {
          model_file_ = file;
          model_saved_ = true;
          emit modelChanged();
        }
        noteRecent(file);
        emit statusTold(tr("Saved %1").arg(file));
      });
}

}  // namespace tactelier::gui
