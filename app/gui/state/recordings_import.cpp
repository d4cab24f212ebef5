// Opening what comes from elsewhere: the example and other people's tables.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/gui/state/jobs.hpp"
#include "app/gui/state/notifications.hpp"
#include "app/gui/state/recordings.hpp"
#include "app/workflow/import_session.hpp"

// Must stand outside any namespace.
static void initExample() { Q_INIT_RESOURCE(example); }

namespace tactelier::gui {
namespace {

Result<void> unpackExample(const QString& folder) {
  initExample();
  for (const auto& name : {QStringLiteral("oil.csv"), QStringLiteral("map.json")}) {
    const auto target = folder + QLatin1Char('/') + name;
    if (!QFile::copy(QStringLiteral(":/tactelier/example/") + name, target))
      return fail(ErrorCode::kIo, "cannot write '{}'", target.toStdString());
  }
  return {};
}

}  // namespace

void Recordings::openExample() {
  const QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                    QStringLiteral("/examples"));
  const auto target = folder.filePath(QStringLiteral("fluid-taxel-oil.tact"));
  if (QFileInfo::exists(target)) {
    open(target);
    return;
  }
  struct Imported {};
  jobs_.run<Imported>(
      tr("Import the example"), Lane::kWork, this,
      [target, folder](const Job& job) -> Result<Imported> {
        const QTemporaryDir temporary;
        if (!folder.mkpath(QStringLiteral(".")) || !temporary.isValid())
          return fail(ErrorCode::kIo, "cannot write to '{}'", folder.path().toStdString());
        if (auto ok = unpackExample(temporary.path()); !ok) return fail(ok.error());
        ImportRequest request;
        request.source = temporary.filePath(QStringLiteral("oil.csv")).toStdString();
        request.map = temporary.filePath(QStringLiteral("map.json")).toStdString();
        request.target = target.toStdString();
        if (auto report = import_session(request, job); !report) return fail(report.error());
        return Imported{};
      },
      [this, target](Result<Imported> imported) {
        if (imported)
          open(target);
        else
          notifications_.failed(imported.error(), tr("Nothing was opened."),
                                tr("Open a recording instead."));
      });
}

void Recordings::importInto(const QString& source, const QString& map, const QString& target) {
  ImportRequest request;
  request.source = source.toStdString();
  if (!map.isEmpty()) request.map = map.toStdString();
  request.target = target.toStdString();
  request.options.overwrite = true;  // the file dialog has asked
  jobs_.run<ImportReport>(
      tr("Import %1").arg(QFileInfo(source).fileName()), Lane::kWork, this,
      [request](const Job& job) { return import_session(request, job); },
      [this, target](Result<ImportReport> report) {
        if (!report) {
          notifications_.failed(report.error(), tr("Nothing half-imported was left."),
                                tr("Mend the table or its map, then import again."));
          return;
        }
        notifications_.status(tr("Imported %n rows.", nullptr, static_cast<int>(report->rows)));
        open(target);
      });
}

}  // namespace tactelier::gui
