#include "app/gui/state/known_truth.hpp"

#include <QFileInfo>
#include <charconv>

#include "app/gui/state/app_state.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

using Truth = std::shared_ptr<const SensorModel>;

constexpr std::size_t kMostBytes = 64'000'000;

/// One pad: all files say the same.
Result<Truth> readAll(const QStringList& files) {
  std::optional<std::string> first;
  for (const auto& file : files) {
    const auto text = read_text_file(file.toStdString(), kMostBytes);
    if (!text) return fail(text.error());
    if (first && *first != *text) return Truth{};
    first = *text;
  }
  if (!first) return Truth{};
  return read_model(files.front().toStdString()).map([](SensorModel model) {
    return std::make_shared<const SensorModel>(std::move(model));
  });
}

std::optional<double> valueIn(const std::vector<ResultGroup>& groups, const std::string& path) {
  for (const auto& group : groups)
    for (const auto& row : group.rows)
      if (row.path == path) return row.parameter.value;
  return std::nullopt;
}

std::optional<double> meanOfFitted(const SensorModel& truth, const SensorModel& fitted,
                                   const std::string& path) {
  const auto true_ones = over_array(truth, path);
  const auto fitted_ones = over_array(fitted, path);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < std::min(true_ones.size(), fitted_ones.size()); ++i)
    if (fitted_ones[i].usable()) {
      if (!true_ones[i].value) return std::nullopt;
      sum += *true_ones[i].value;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return sum / count;
}

/// Of "response.tactels[40].gain" and "stiffness.k_punch_tactel[40]".
std::optional<int> tactelOf(const std::string& path) {
  const auto open = path.find('[');
  int tactel = 0;
  if (open == path.npos ||
      std::from_chars(path.data() + open + 1, path.data() + path.size(), tactel).ec != std::errc())
    return std::nullopt;
  return tactel;
}

}  // namespace

KnownTruth::KnownTruth(AppState& state, QObject* parent) : QObject(parent), state_(state) {
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &KnownTruth::look);
  connect(&state_.recordings(), &Recordings::listChanged, this, &KnownTruth::look);
  look();
}

QString KnownTruth::fileOf(const QString& recording) {
  const QFileInfo file(recording);
  return file.path() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral(".truth.json");
}

/// Of every recording behind the model, or none.
QStringList KnownTruth::candidates() const {
  QStringList files;
  if (state_.model() == nullptr) return files;
  for (const auto& session : state_.model()->provenance.sessions) {
    QString found;
    for (const auto* document : state_.recordings().all())
      if (document->recording()->name() == text(session.file))
        found = fileOf(document->recording()->path());
    if (found.isEmpty() || !QFileInfo::exists(found)) return {};
    files << found;
  }
  return files;
}

void KnownTruth::look() {
  const auto files = candidates();
  if (files == asked_) return;
  asked_ = files;
  truth_.reset();
  emit changed();
  if (files.isEmpty()) return;
  state_.jobs().run<Truth>(
      tr("Read the truth"), Lane::kQuiet, this,
      [files](const Job&) -> Result<Truth> { return readAll(files); },
      [this, files](Result<Truth> truth) {
        if (files != asked_ || !truth) return;
        truth_ = std::move(*truth);
        emit changed();
      });
}

std::optional<double> trueValue(const SensorModel& truth, const SensorModel& fitted,
                                const ResultRow& row) {
  if (!row.parameter.usable()) return std::nullopt;
  if (row.is_spread()) return meanOfFitted(truth, fitted, row.path);
  if (const auto tactel = tactelOf(row.path)) {
    if (const auto value = valueIn(tactel_results(truth, *tactel), row.path)) return value;
  }
  return valueIn(array_results(truth), row.path);
}

}  // namespace tactelier::gui
