#include "app/gui/state/app_state.hpp"

#include <QFileInfo>

namespace tactelier::gui {

AppState::AppState(QSettings& settings, QObject* parent)
    : QObject(parent),
      settings_(settings),
      files_(settings),
      recordings_(jobs_, notifications_, files_, selection_),
      model_(jobs_, notifications_, files_),
      fit_(jobs_, notifications_, recordings_, selection_, model_),
      station_(jobs_, nullptr) {
  connect(&jobs_, &Jobs::cancelling, this,
          [this](const QString& name) { notifications_.status(tr("Cancelling: %1").arg(name)); });
}

AppState::~AppState() { jobs_.cancelAll(); }

void AppState::open(const QString& path) {
  const QFileInfo info(path);
  const auto clean = info.absoluteFilePath();
  if (!info.exists())
    return notifications_.notify(Message::Level::kBad, tr("%1: no such file or folder.").arg(clean),
                                 tr("Nothing was opened."), tr("Choose another with Ctrl+O."));
  if (info.isDir() && !QFileInfo::exists(clean + QStringLiteral("/session.json")))
    return files_.setLibraryFolder(clean);
  if (info.suffix().compare(QStringLiteral("csv"), Qt::CaseInsensitive) == 0)
    return notifications_.notify(
        Message::Level::kLook, tr("%1 is a table from elsewhere.").arg(info.fileName()),
        tr("Nothing was opened."),
        tr("Import it with File › Import: a map file says which column is what."));
  const bool model = info.isFile() && info.suffix() == QStringLiteral("json");
  if (!model) return recordings_.open(clean);
  if (model_.mayDiscard()) model_.open(clean);
}

}  // namespace tactelier::gui
