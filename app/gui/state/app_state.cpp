#include "app/gui/state/app_state.hpp"

#include <QFileInfo>

namespace tactelier::gui {
namespace {

/// By its name: what 'import --guess' reads.
bool isTable(const QFileInfo& info) {
  const QStringList known{QStringLiteral("csv"), QStringLiteral("tsv"),  QStringLiteral("txt"),
                          QStringLiteral("npy"), QStringLiteral("npz"),  QStringLiteral("mat"),
                          QStringLiteral("h5"),  QStringLiteral("hdf5"), QStringLiteral("xlsx"),
                          QStringLiteral("ods")};
  return info.isFile() && known.contains(info.suffix().toLower());
}

}  // namespace

AppState::AppState(QSettings& settings, const QString& log_file, QObject* parent)
    : QObject(parent),
      settings_(settings),
      preferences_(settings),
      log_(log_file),
      files_(settings),
      recordings_(jobs_, notifications_, files_, selection_),
      model_(jobs_, notifications_, files_),
      fit_(jobs_, notifications_, recordings_, selection_, model_),
      station_(jobs_, nullptr) {
  connect(&notifications_, &Notifications::messageRaised, &log_,
          qOverload<const Message&>(&EventLog::add));
  connect(&notifications_, &Notifications::statusChanged, &log_, [this](const QString& words) {
    if (!words.isEmpty()) log_.add({Message::Level::kInfo, words, {}, {}});
  });
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
  if (isTable(info)) return recordings_.look(clean);
  const bool model = info.isFile() && info.suffix() == QStringLiteral("json");
  if (!model) return recordings_.open(clean);
  if (model_.mayDiscard()) model_.open(clean);
}

}  // namespace tactelier::gui
