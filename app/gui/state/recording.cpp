#include "app/gui/state/recording.hpp"

#include <QFileInfo>
#include <algorithm>

#include "app/gui/state/message.hpp"

namespace tactelier::gui {

Result<RecordingPtr> Recording::open(const QString& path, const Job& job) {
  auto opened = OpenSession::open(path.toStdString(), job);
  if (!opened) return fail(opened.error());
  std::shared_ptr<Recording> recording(new Recording(std::move(*opened)));
  recording->path_ = path;
  recording->name_ = text(recording->opened_.name());
  recording->folder_ = QFileInfo(path).isDir();
  bool first = true;
  for (const auto& stream : recording->streams()) {
    if (stream.rows == 0) continue;
    recording->begin_s_ = first ? stream.begin_s : std::min(recording->begin_s_, stream.begin_s);
    recording->end_s_ = first ? stream.end_s : std::max(recording->end_s_, stream.end_s);
    first = false;
  }
  return recording;
}

}  // namespace tactelier::gui
