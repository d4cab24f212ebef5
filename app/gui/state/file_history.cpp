#include "app/gui/state/file_history.hpp"

#include <QDir>
#include <QSettings>

namespace tactelier::gui {
namespace {

constexpr auto kRecentKey = "recent_files";
constexpr auto kFolderKey = "library_folder";
constexpr int kMaxRecent = 12;

}  // namespace

FileHistory::FileHistory(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {}

QStringList FileHistory::recent() const {
  return settings_.value(QLatin1String(kRecentKey)).toStringList();
}

void FileHistory::note(const QString& path) {
  auto files = recent();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kMaxRecent) files.removeLast();
  settings_.setValue(QLatin1String(kRecentKey), files);
  emit recentChanged();
}

QString FileHistory::libraryFolder() const {
  return settings_.value(QLatin1String(kFolderKey), usualLibraryFolder()).toString();
}

QString FileHistory::usualLibraryFolder() {
  return QDir::homePath() + QStringLiteral("/Measurements");
}

void FileHistory::forgetRecent() {
  settings_.remove(QLatin1String(kRecentKey));
  emit recentChanged();
}

void FileHistory::setLibraryFolder(const QString& folder) {
  settings_.setValue(QLatin1String(kFolderKey), folder);
  emit libraryFolderChanged();
}

}  // namespace tactelier::gui
