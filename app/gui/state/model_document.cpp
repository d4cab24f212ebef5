#include "app/gui/state/model_document.hpp"

#include <QFileInfo>

#include "app/gui/state/file_history.hpp"
#include "app/gui/state/jobs.hpp"
#include "app/gui/state/notifications.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {

ModelDocument::ModelDocument(Jobs& jobs, Notifications& notifications, FileHistory& files)
    : jobs_(jobs), notifications_(notifications), files_(files) {}

void ModelDocument::open(const QString& path) {
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
      [this, path](Result<Opened> read) {
        if (!read)
          return notifications_.failed(read.error(), tr("Nothing was opened."),
                                       tr("Choose a sensor model file."));
        files_.note(path);
        set(std::move(read->model), std::move(read->warnings), path);
        emit opened();
      });
}

void ModelDocument::set(ModelPtr model, Warnings warnings, const QString& file) {
  model_ = std::move(model);
  warnings_ = std::move(warnings);
  file_ = file;
  saved_ = !file.isEmpty();
  outdated_ = false;
  emit replaced();
  emit changed();
}

void ModelDocument::setOutdated() {
  if (model_ == nullptr || outdated_) return;
  outdated_ = true;
  emit changed();
}

void ModelDocument::save(const QString& file) {
  if (model_ == nullptr) return;
  struct Saved {};
  jobs_.run<Saved>(
      tr("Save %1").arg(QFileInfo(file).fileName()), Lane::kOrdered, this,
      [model = model_, file](const Job&) -> Result<Saved> {
        if (auto done = write_model(*model, file.toStdString()); !done) return fail(done.error());
        return Saved{};
      },
      [this, file, model = model_](Result<Saved> written) {
        if (!written)
          return notifications_.failed(
              written.error(), tr("The model is still open here; nothing half-written was left."),
              tr("Save it elsewhere."));
        if (model == model_) {
          file_ = file;
          saved_ = true;
          emit changed();
        }
        files_.note(file);
        notifications_.status(tr("Saved %1").arg(file));
      });
}

}  // namespace tactelier::gui
