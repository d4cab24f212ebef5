#include "app/gui/item_models/library_facts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>

#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/color_map.hpp"
#include "fitting/views/recording_view.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier::gui {
namespace {

constexpr int kMaxThumbnailTactels = 1024;
constexpr std::size_t kOverviewPoints = 300;

QString tr(const char* words, int n = -1) {
  return QCoreApplication::translate("Library", words, nullptr, n);
}

void unreadable(LibraryEntry& entry, const Error& error) {
  entry.state = error.code == ErrorCode::kDamaged ? tr("damaged") : tr("cannot be read");
  entry.look = LibraryEntry::Look::kBad;
  entry.facts.emplace_back(tr("Problem"), text(error.message));
}

QString sensorName(const SensorDescription& sensor, const std::string& serial) {
  auto name = text(serial);
  if (name.isEmpty()) name = text(sensor.model);
  if (name.isEmpty()) name = text(sensor.name);
  if (name.isEmpty() && !sensor.arrays.empty())
    name = QStringLiteral("%1 × %2").arg(sensor.arrays[0].rows).arg(sensor.arrays[0].columns);
  return name;
}

QImage thumbnail(const SensorDescription& sensor, const std::vector<double>& values, ColorMap map) {
  if (sensor.arrays.empty()) return {};
  const auto& array = sensor.arrays.front();
  if (static_cast<int>(values.size()) < array.tactels()) return {};
  double low = INFINITY;
  double high = -INFINITY;
  for (const double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  if (!std::isfinite(low)) return {};
  const auto table = colorTable(map);
  QImage image(array.columns, array.rows, QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  for (int i = 0; i < array.tactels(); ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    if (std::isnan(value)) continue;
    image.setPixel(i % array.columns, array.rows - 1 - i / array.columns,
                   table[colorIndex(value, low, high)] | 0xFF000000);
  }
  return image;
}

/// Least and most of neighbours together, so that no spike is lost.
std::vector<OverviewPoint> condensed(const std::vector<OverviewPoint>& points) {
  std::vector<OverviewPoint> out;
  const std::size_t together = points.size() / kOverviewPoints + 1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto point = points[i];
    point.begin_s -= points.front().begin_s;
    point.end_s -= points.front().begin_s;
    if (i % together == 0) {
      out.push_back(point);
      continue;
    }
    out.back().end_s = point.end_s;
    out.back().min = std::fmin(out.back().min, point.min);
    out.back().max = std::fmax(out.back().max, point.max);
  }
  return out;
}

QString kinds(const std::vector<Press>& all) {
  std::set<QString> names;
  for (const auto& press : all) names.insert(text(to_string(press.kind)));
  return QStringList(names.begin(), names.end()).join(QStringLiteral(", "));
}

void addStreams(LibraryEntry& entry, const Session& session) {
  for (const auto& stream : session.streams()) {
    auto words = tr("%n samples", static_cast<int>(stream.rows));
    if (const auto rate = stream.rate_hz())
      words += QStringLiteral(" · %1 /s").arg(*rate, 0, 'g', 4);
    const auto name = text(to_string(stream.info.kind));
    entry.facts.emplace_back(name.left(1).toUpper() + name.mid(1), words);
    entry.length_s = std::max(entry.length_s, stream.end_s - stream.begin_s);
  }
}

}  // namespace

void describeRecording(LibraryEntry& entry, const Job& job) {
  const auto session = Session::open(entry.path.toStdString());
  if (!session) return unreadable(entry, session.error());
  const auto& metadata = session->metadata();
  entry.sensor = sensorName(metadata.sensor, metadata.sensor_serial);
  const auto created = QDateTime::fromString(text(metadata.created), Qt::ISODate);
  if (created.isValid()) entry.date = created;
  entry.facts.emplace_back(tr("Sensor"),
                           text(metadata.sensor.vendor + " " + metadata.sensor.model).trimmed() +
                               QStringLiteral(" ") + text(metadata.sensor_serial));
  if (metadata.indenter)
    entry.facts.emplace_back(tr("Indenter"), text(metadata.indenter->describe()));
  if (!metadata.operator_name.empty())
    entry.facts.emplace_back(tr("Operator"), text(metadata.operator_name));
  addStreams(entry, *session);
  if (const auto force = force_envelope(*session, {})) entry.force = condensed(force->points);
  if (session->finished()) entry.hash = text(session->content_hash().value_or(std::string()));
  const auto all = presses(session->events(), session->edits(), metadata);
  if (!all) return unreadable(entry, all.error());
  const auto usable = static_cast<int>(
      std::count_if(all->begin(), all->end(), [](const Press& p) { return p.usable(); }));
  entry.holds = kinds(*all);
  entry.facts.emplace_back(
      tr("Presses"), tr("%n recorded, %1 of them used", static_cast<int>(all->size())).arg(usable));
  if (!session->edits().empty())
    entry.facts.emplace_back(tr("Edits"), QString::number(session->edits().size()));
  if (!metadata.notes.empty()) entry.facts.emplace_back(tr("Note"), text(metadata.notes));
  entry.state = tr("%n presses", usable);
  entry.look = usable > 0 ? LibraryEntry::Look::kGood : LibraryEntry::Look::kLook;
  // A fault or a STOP ended it: green would say that its protocol is done.
  if (!all->empty() && all->back().outcome == "aborted") {
    entry.state = tr("ended early, %n presses", usable);
    entry.look = LibraryEntry::Look::kLook;
  }
  if (!session->finished()) {
    entry.state = tr("unfinished, %n presses", usable);
    entry.look = LibraryEntry::Look::kLook;
  }
  if (metadata.sensor.tactels() <= kMaxThumbnailTactels)
    if (const auto extremes = tactel_extremes(*session, job)) {
      std::vector<double> swing;
      for (const auto& tactel : *extremes) swing.push_back(tactel.max - tactel.min);
      entry.thumbnail = thumbnail(metadata.sensor, swing, ColorMap::kViridis);
    }
  if (!session->damage().empty()) {
    entry.state = tr("damaged");
    entry.look = LibraryEntry::Look::kBad;
    entry.facts.emplace_back(tr("Problem"), text(session->damage().front().what));
  }
}

void describeFolder(LibraryEntry& entry) {
  entry.holds = tr("session folder");
  entry.state = tr("folder");
  entry.facts.emplace_back(tr("Form"), tr("Plain files; opened through a temporary copy."));
}

void describeModel(LibraryEntry& entry) {
  const auto model = read_model(entry.path.toStdString());
  if (!model) return unreadable(entry, model.error());
  entry.sensor = sensorName(model->sensor, model->serial);
  const auto created = QDateTime::fromString(text(model->created), Qt::ISODate);
  if (created.isValid()) entry.date = created;
  std::vector<double> gains;
  for (const auto& tactel : model->response.tactels)
    gains.push_back(tactel.press_gain.value.value_or(std::nan("")));
  const auto identified =
      std::count_if(gains.begin(), gains.end(), [](double gain) { return !std::isnan(gain); });
  entry.thumbnail = thumbnail(model->sensor, gains, ColorMap::kCividis);
  entry.state = tr("%1 of %2 tactels")
                    .arg(identified)
                    .arg(static_cast<qlonglong>(model->response.tactels.size()));
  const bool complete = identified == static_cast<std::ptrdiff_t>(gains.size()) && identified > 0;
  entry.look = complete ? LibraryEntry::Look::kGood : LibraryEntry::Look::kLook;
  for (const auto& session : model->provenance.sessions) {
    entry.made_from.push_back({text(session.file), text(session.content_hash)});
    entry.facts.emplace_back(tr("Made from"), text(session.file));
  }
  entry.facts.emplace_back(tr("Made by"), text(model->tool));
  if (model->stiffness.k_punch.usable())
    entry.facts.emplace_back(tr("k_punch"), valueWithUncertainty(model->stiffness.k_punch));
}

}  // namespace tactelier::gui
