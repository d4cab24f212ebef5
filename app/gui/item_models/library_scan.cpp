#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QMutexLocker>

#include "app/gui/item_models/library_entry.hpp"
#include "app/gui/item_models/library_facts.hpp"

namespace tactelier::gui {
namespace {

struct CacheKey {
  QDateTime modified;
  qint64 bytes = 0;
  bool operator==(const CacheKey&) const = default;
};

struct Cached {
  CacheKey key;
  LibraryEntry entry;
};

// Read by workers, one folder at a time; shared so that going back to a folder costs nothing.
QMutex cache_mutex;
QHash<QString, Cached>& cache() {
  static QHash<QString, Cached> entries;
  return entries;
}

constexpr qint64 kPeek = 400;

/// A sensor model says so in its first lines ("format": "tactelier/sensor-model").
bool looksLikeModel(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  const auto head = file.read(kPeek);
  return head.contains("tactelier/sensor-model");
}

bool isSessionFolder(const QFileInfo& info) {
  return info.isDir() && QFileInfo::exists(info.filePath() + QStringLiteral("/session.json"));
}

}  // namespace

std::optional<LibraryEntry> readLibraryEntry(const QString& path, const Job& job) {
  const QFileInfo info(path);
  LibraryEntry entry;
  entry.path = path;
  entry.name = info.fileName();
  entry.date = info.lastModified();
  entry.bytes = info.isDir() ? 0 : info.size();
  if (isSessionFolder(info)) {
    entry.kind = LibraryEntry::Kind::kFolder;
    describeFolder(entry);
  } else if (info.suffix() == QStringLiteral("tact")) {
    describeRecording(entry, job);
  } else if (info.suffix() == QStringLiteral("json") && looksLikeModel(path)) {
    entry.kind = LibraryEntry::Kind::kModel;
    describeModel(entry);
  } else {
    return std::nullopt;
  }
  entry.search = (entry.name + ' ' + entry.sensor + ' ' + entry.holds + ' ' + entry.state + ' ' +
                  entry.date.toString(Qt::ISODate))
                     .toLower();
  for (const auto& [label, words] : entry.facts) entry.search += ' ' + words.toLower();
  return entry;
}

std::optional<LibraryEntry> knownLibraryEntry(const QString& path, const Job& job) {
  const QFileInfo info(path);
  const CacheKey key{info.lastModified(), info.size()};
  {
    const QMutexLocker lock(&cache_mutex);
    const auto known = cache().constFind(path);
    if (known != cache().constEnd() && known->key == key) return known->entry;
  }
  auto entry = readLibraryEntry(path, job);
  if (entry && !job.stopped()) {
    const QMutexLocker lock(&cache_mutex);
    cache().insert(path, {key, *entry});
  }
  return entry;
}

std::vector<const LibraryEntry*> modelsMadeOf(const LibraryEntry& recording,
                                              const std::vector<LibraryEntry>& entries) {
  std::vector<const LibraryEntry*> models;
  for (const auto& entry : entries)
    for (const auto& origin : entry.made_from) {
      const bool hashes = !origin.hash.isEmpty() && !recording.hash.isEmpty();
      if (hashes ? origin.hash != recording.hash : origin.file != recording.name) continue;
      models.push_back(&entry);
      break;
    }
  return models;
}

Result<std::vector<LibraryEntry>> scanLibrary(const QString& folder, const Job& job) {
  std::vector<LibraryEntry> entries;
  const auto files =
      QDir(folder).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
  for (qsizetype i = 0; i < files.size(); ++i) {
    if (job.stopped()) return Job::cancelled();
    const auto& info = files[i];
    if (auto entry = knownLibraryEntry(info.absoluteFilePath(), job))
      entries.push_back(std::move(*entry));
    job.progress(info.fileName().toStdString(), static_cast<double>(i + 1),
                 static_cast<double>(files.size()));
  }
  return entries;
}

}  // namespace tactelier::gui
