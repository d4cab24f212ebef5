#include "app/gui/state/cut_off.hpp"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "libcalib/session/events.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::gui {
namespace {

constexpr qint64 kWritten_s = 5;  // a recording that goes on is committed four times a second

bool beingWritten(const QString& file) {
  for (const auto* part : {"", "-wal"}) {
    const QFileInfo info(file + QLatin1String(part));
    if (info.exists() && info.lastModified().secsTo(QDateTime::currentDateTime()) < kWritten_s)
      return true;
  }
  return false;
}

std::optional<CutOff> cutOff(const QString& file) {
  if (!QFileInfo::exists(file) || beingWritten(file)) return std::nullopt;
  const auto session = Session::open(file.toStdString());
  if (!session || session->finished()) return std::nullopt;
  CutOff cut{file, 0, 0};
  for (const auto& stream : session->streams())  // their clocks begin anywhere
    cut.length_s = std::max(cut.length_s, stream.end_s - stream.begin_s);
  const auto all = presses(session->events(), session->edits(), session->metadata());
  if (all)
    cut.presses = static_cast<int>(
        std::count_if(all->begin(), all->end(), [](const Press& press) { return press.usable(); }));
  return cut;
}

}  // namespace

Result<std::vector<CutOff>> cutOffAmong(const QStringList& files, const Job& job) {
  std::vector<CutOff> found;
  for (const auto& file : files) {
    if (job.stopped()) return Job::cancelled();
    if (!file.endsWith(QStringLiteral(".tact"))) continue;
    if (auto cut = cutOff(file)) found.push_back(std::move(*cut));
  }
  return found;
}

}  // namespace tactelier::gui
