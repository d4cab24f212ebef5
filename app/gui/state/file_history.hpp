#pragma once
// Where the user's files are, kept in the settings: those opened or recorded lately, and the folder
// that the Library shows.

#include <QObject>
#include <QStringList>

class QSettings;

namespace tactelier::gui {

class FileHistory : public QObject {
  Q_OBJECT
 public:
  /// `settings` outlives the history.
  explicit FileHistory(QSettings& settings, QObject* parent = nullptr);

  QStringList recent() const;  // latest first
  /// Opened here, or recorded.
  void note(const QString& path);
  QString libraryFolder() const;
  void setLibraryFolder(const QString& folder);
  /// As long as nobody has chosen another.
  static QString usualLibraryFolder();
  void forgetRecent();

 signals:
  void recentChanged();
  void libraryFolderChanged();

 private:
  QSettings& settings_;
};

}  // namespace tactelier::gui
