#include "app/gui/screenshots/station_scene.hpp"

#include <QElapsedTimer>
#include <QFile>
#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/screenshots/picture.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/workflow/catalogue/catalogue.hpp"

namespace tactelier::gui::screenshots {
namespace {

constexpr const char* kTwoPresses = R"({
  "format": "tactelier/protocol", "version": 1, "name": "two",
  "indenter": {"shape": "cylinder", "diameter_mm": 1.0},
  "steps": [{"do": "zero", "time_s": 1},
            {"do": "scan", "tactels": [38, 45], "speed_mm_s": 0.8,
             "until": {"force_N": 1.5, "depth_mm": 1.5}}]})";
constexpr const char* kGain = "response.tactels[].press_gain";

void await(const std::function<bool()>& so) {
  QElapsedTimer since;
  since.start();
  while (!so()) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    if (since.elapsed() > 120000) qFatal("the picture's subject did not come");
  }
}

/// Thirteen sensors about `gain`, the limits 16 % to either side.
void writeFleet(const std::filesystem::path& file, const CatalogueFit& like, double gain) {
  auto catalogue = Catalogue::open(file);
  if (!catalogue) qFatal("%s", catalogue.error().message.c_str());
  for (int i = -6; i <= 6; ++i) {
    auto fit = like;
    fit.key = fmt::format("{}", i);
    fit.serial = fmt::format("F{}", i + 6);
    std::erase_if(fit.values, [](const CatalogueValue& row) { return row.path != kGain; });
    fit.values.at(0).value = gain * (1 + 0.012 * i);
    if (const auto added = catalogue->add(fit); !added) qFatal("%s", added.error().message.c_str());
  }
}

/// Measured, and the next code asked for.
void measureAtStation(AppState& state, const QString& serial) {
  auto& station = state.station();
  const auto waitsFor = [&](StationStep step) {
    await([&] { return station.now() && station.now()->waits && station.now()->at.step == step; });
  };
  waitsFor(StationStep::kScan);
  station.enter(serial);
  await([&] { return station.now()->waits && station.now()->at.step != StationStep::kScan; });
  if (station.now()->at.step == StationStep::kHandsOff) station.enter({});
  waitsFor(StationStep::kClamp);
  station.enter({});
  waitsFor(StationStep::kScan);
}

/// All of them, and the station ended.
void runStation(AppState& state, const StationSettings& settings, const QStringList& serials) {
  state.station().begin(settings);
  for (const auto& serial : serials) measureAtStation(state, serial);
  state.station().end();
  await([&] { return !state.station().running(); });
}

/// Sensors of the virtual bench: measured for a fleet, accepted by its limits, and one rejected by
/// those of another.
void prepareStation(MainWindow& window, AppState& state, RigLink& rig, const QString& home) {
  window.showPage(QStringLiteral("station"));
  rig.connectVirtual(8);
  await([&] { return rig.connected() && rig.live() && rig.statusFresh(); });
  const std::filesystem::path folder = home.toStdString();
  StationSettings settings;
  settings.place = rig.facts().place;
  settings.folder = folder / "line3";
  settings.protocol = (folder / "two.json").string();
  settings.operator_name = "anna";
  settings.fit.stages = {"wrench", "contact", "response"};
  settings.limits.catalogue = folder / "first.sqlite";
  QFile protocol(QString::fromStdString(settings.protocol));
  if (!protocol.open(QIODevice::WriteOnly)) qFatal("no protocol");
  protocol.write(kTwoPresses);
  protocol.close();
  state.station().setSettleTime(0);
  runStation(state, settings, {QStringLiteral("S0041")});
  const auto first = Catalogue::read(settings.limits.catalogue);
  if (!first) qFatal("%s", first.error().message.c_str());
  const auto like = first->fit(*first->keys()->begin()).value().value();
  const auto row = std::ranges::find(like.values, kGain, &CatalogueValue::path);
  if (row == like.values.end() || !row->value) qFatal("the bench's gain is not known");
  writeFleet(folder / "fleet.sqlite", like, *row->value);
  writeFleet(folder / "others.sqlite", like, 1.3 * *row->value);
  settings.limits = {folder / "fleet.sqlite", {kGain}};
  runStation(state, settings, {QStringLiteral("S0042"), QStringLiteral("S0043")});
  settings.limits.catalogue = folder / "others.sqlite";
  state.station().begin(settings);
  measureAtStation(state, QStringLiteral("S0044"));
}

}  // namespace

void saveStation(MainWindow& window, AppState& state, RigLink& rig, const QString& home,
                 const QString& folder) {
  prepareStation(window, state, rig, home);
  saveSized(window, state, folder, QStringLiteral("station"));
  state.station().cancel();
  await([&] { return !state.station().running(); });
  rig.disconnectRig();
}

}  // namespace tactelier::gui::screenshots
