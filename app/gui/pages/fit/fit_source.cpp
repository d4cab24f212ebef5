#include "app/gui/pages/fit/fit_source.hpp"

#include <QCoreApplication>

#include "fitting/views/preparation.hpp"

namespace tactelier::gui {
namespace {

FitSource sourceOf(const AppState& state, const RecordingDocument& document) {
  FitSource source{document.recording(), document.presses(), {}};
  const auto found = state.fit().clocks().find(document.recording()->path().toStdString());
  if (found != state.fit().clocks().end()) source.clocks = found->second;
  return source;
}

}  // namespace

std::vector<FitSource> fitSources(AppState& state) {
  std::vector<FitSource> sources;
  for (const auto* document : state.recordings().all())
    if (state.fit().choice().uses(document)) sources.push_back(sourceOf(state, *document));
  return sources;
}

std::vector<FitSource> currentSource(const AppState& state) {
  const auto* document = state.recording();
  if (document == nullptr) return {};
  return {sourceOf(state, *document)};
}

FitBasis fitBasis(const AppState& state, const std::vector<FitSource>& sources) {
  FitBasis basis{state.model(), {}, {}};
  for (const auto& source : sources) {
    basis.recordings.push_back(source.recording);
    for (const auto& press : source.presses)
      basis.edits.emplace_back(press.excluded, press.contact_s);
  }
  return basis;
}

QString nothingFitted(const AppState& state) {
  const auto tr = [](const char* words) {
    return QCoreApplication::translate("tactelier::gui::FitPage", words);
  };
  if (!state.fit().running()) return tr("Nothing is fitted yet: Ctrl+R.");
  const auto progress = state.fit().progress();
  if (!progress) return tr("The fit is about to start.");
  const auto& stages = state.fit().stages();
  auto words = tr("The fit is running: %1 stages have ended").arg(stages.size());
  if (progress->fraction >= 0)
    words += tr(", %1 % done").arg(static_cast<int>(100 * progress->fraction));
  return words + QStringLiteral(".");
}

Result<OpenedSources> OpenedSources::open(const std::vector<FitSource>& sources, const Job& job) {
  OpenedSources opened;
  for (const auto& source : sources) {
    const auto file = source.recording->use([](const Session& session) { return session.file(); });
    auto session = Session::open(file);
    if (!session) return fail(session.error());
    opened.files_.push_back(std::make_unique<Session>(std::move(*session)));
    opened.sessions_.push_back({opened.files_.back().get(), source.presses, {}});
    auto clocks = source.clocks ? Result<SessionClocks>(*source.clocks)
                                : session_clocks(opened.sessions_.back(), job);
    if (!clocks) return fail(clocks.error());
    opened.clocks_.push_back(std::move(*clocks));
  }
  return opened;
}

}  // namespace tactelier::gui
