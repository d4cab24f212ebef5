#pragma once
// What the Library knows of one file, read by a worker and kept by path, size and time.

#include <QDateTime>
#include <QImage>
#include <QString>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::gui {

struct LibraryEntry {
  enum class Kind { kRecording, kFolder, kModel };
  enum class Look { kPlain, kGood, kLook, kBad };

  QString path;
  QString name;
  Kind kind = Kind::kRecording;
  QString holds;  // "ramp, hold", "82 of 84 tactels"
  QString sensor;
  QDateTime date;
  double length_s = -1;  // negative: not applicable
  qint64 bytes = 0;
  QString state;
  Look look = Look::kPlain;
  QImage thumbnail;  // one pixel per tactel, row 0 at the bottom; null when there is none
  std::vector<OverviewPoint> force;  // of a recording, time from its begin; a few hundred points
  QString hash;                      // of a finished recording's content
  struct Origin {
    QString file, hash;
  };
  std::vector<Origin> made_from;                   // of a model: its recordings
  std::vector<std::pair<QString, QString>> facts;  // for the preview: label, words
  QString search;                                  // lower case: everything one may look for
};

/// Recordings (*.tact, session folders) and models (*.json with the format key) of one folder, not
/// of its subfolders. Known files (same path, size and time) are taken from the cache.
Result<std::vector<LibraryEntry>> scanLibrary(const QString& folder, const Job& job);

/// The models among them that were made of that recording, by its content, or by its name where one
/// of the two hashes is missing.
std::vector<const LibraryEntry*> modelsMadeOf(const LibraryEntry& recording,
                                              const std::vector<LibraryEntry>& entries);

/// As readLibraryEntry(), from the cache where the file is as it was.
std::optional<LibraryEntry> knownLibraryEntry(const QString& path, const Job& job);

/// One file; empty when it is neither recording nor model. A file that can't be read is an entry
/// that says so.
std::optional<LibraryEntry> readLibraryEntry(const QString& path, const Job& job);

}  // namespace tactelier::gui
