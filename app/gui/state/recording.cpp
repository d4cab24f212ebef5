#include "app/gui/state/recording.hpp"

#include <QFileInfo>
#include <algorithm>

#include "app/gui/text/message.hpp"
#include "libcalib/reason.hpp"

namespace tactelier::gui {

Result<RecordingPtr> Recording::open(const QString& path, const Job& job) {
  auto opened = OpenSession::open(path.toStdString(), job);
  if (!opened) return fail(opened.error());
  std::shared_ptr<Recording> recording(new Recording(std::move(*opened)));
  recording->path_ = path;
  recording->name_ = text(recording->opened_.name());
  recording->folder_ = QFileInfo(path).isDir();
  auto clocks = viewing_clocks(recording->opened_.session(), job);
  if (!clocks) return fail(clocks.error());
  recording->clocks_ = std::move(*clocks);
  recording->warnings_ = recording->opened_.warnings();
  bool first = true;
  for (const auto& stream : recording->streams()) {
    if (stream.rows == 0) continue;
    const auto& time = recording->clocks_.of(stream.info.kind);
    if (!time.refusal.empty()) {
      recording->warnings_.push_back(warning_of(time.refusal, recording->opened_.name()));
      continue;  // its times are not the others'
    }
    const double begin_s = time.map.to_host_s(stream.begin_s);
    const double end_s = time.map.to_host_s(stream.end_s);
    recording->begin_s_ = first ? begin_s : std::min(recording->begin_s_, begin_s);
    recording->end_s_ = first ? end_s : std::max(recording->end_s_, end_s);
    first = false;
  }
  return recording;
}

}  // namespace tactelier::gui
