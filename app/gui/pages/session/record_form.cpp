#include "app/gui/pages/session/record_form.hpp"

#include <QComboBox>
#include <QDateTime>
#include <QDoubleValidator>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/widgets/preference_field.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/workflow/plan_recording.hpp"
#include "libcalib/protocol/plan_table.hpp"
#include "libcalib/session/session.hpp"
#include "reports/planned_table.hpp"

namespace tactelier::gui {
namespace {

struct DryRun {
  std::shared_ptr<const RecordPreview> preview;
  std::shared_ptr<const Protocol> protocol;
  std::shared_ptr<AdaptiveRecording> adaptive;
  std::vector<ProtocolGuide> guides;
  std::vector<PlannedParameter> planned;
};

constexpr double kColdest_degC = -50, kHottest_degC = 150;
// Of an item whose presses choose themselves.
constexpr int kTargets = Qt::UserRole + 1, kMinutes = Qt::UserRole + 2;
constexpr int kRefresh = Qt::UserRole + 3;

/// How many numbers of the model, and which not.
QString tellsWords(const std::vector<PlannedParameter>& planned) {
  int told = 0;
  QStringList not_told;
  for (const auto& one : planned) {
    told += one.promised() ? 1 : 0;
    if (!one.promised()) not_told << parameterWords(one.path).name;
  }
  if (planned.empty()) return {};
  auto words = RecordForm::tr("Will tell %n numbers", nullptr, told);
  if (!not_told.isEmpty())
    words += RecordForm::tr("; not %1").arg(not_told.join(QStringLiteral(", ")));
  return words + QLatin1Char('.');
}

/// Each number with its half-width, or why not: for a tip.
QString planDetails(const std::vector<PlannedParameter>& planned) {
  QStringList lines;
  for (const auto& one : planned)
    lines << QStringLiteral("%1: %2").arg(parameterWords(one.path).name, text(planned_words(one)));
  return lines.join(QLatin1Char('\n'));
}

Result<DryRun> dryRun(const RecordRequest& request, const Job& job) {
  auto preview = preview_recording(request);
  if (!preview) return fail(preview.error());
  DryRun dry;
  if (preview->adaptive) {
    auto adaptive = adaptive_recording(request, {});
    if (!adaptive) return fail(adaptive.error());
    dry.adaptive = std::make_shared<AdaptiveRecording>(std::move(**adaptive));
    if (!request.resume) dry.protocol = std::make_shared<const Protocol>(dry.adaptive->so_far());
  } else if (!request.protocol.empty()) {
    auto protocol = load_protocol(request.protocol);
    if (!protocol) return fail(protocol.error());
    dry.protocol = std::make_shared<const Protocol>(std::move(*protocol));
  }
  if (const auto planned = plan_recording(request, *preview, false, job)) {
    dry.planned = planned->parameters;
    dry.guides = protocol_guides(planned->sensor, planned->setup);
  }
  dry.preview = std::make_shared<const RecordPreview>(std::move(*preview));
  return dry;
}

}  // namespace

RecordForm::RecordForm(AppState& state, const RigLink& rig, QWidget* parent)
    : Panel(tr("Recording"), parent), state_(state), rig_(rig) {
  kind_ = new Segmented(tr("What is recorded"), {tr("New file"), tr("Resume a file")}, this);
  kind_->setObjectName(QStringLiteral("recordKind"));
  body()->addWidget(kind_, 0, Qt::AlignLeft);
  protocol_row_ = new QWidget(this);
  auto* row = new QHBoxLayout(protocol_row_);
  row->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("Protocol"), protocol_row_);
  label->setProperty("look", "caption");
  label->setFixedWidth(64);
  protocol_ = new QComboBox(protocol_row_);
  protocol_->setObjectName(QStringLiteral("protocol"));
  protocol_->setAccessibleName(tr("Protocol"));
  protocol_->setToolTip(tr("What is pressed, slid and held, in which order.\n--protocol"));
  for (const auto& name : shipped_protocols()) protocol_->addItem(text(name), text(name));
  protocol_->setCurrentIndex(protocol_->findData(QStringLiteral("quick")));
  auto* other = new QToolButton(protocol_row_);
  other->setProperty("look", "small");
  other->setText(tr("File…"));
  other->setAccessibleName(tr("Choose a protocol file"));
  row->addWidget(label);
  row->addWidget(protocol_, 1);
  row->addWidget(other);
  body()->addWidget(protocol_row_);
  file_ = field(tr("File"), QStringLiteral("recordFile"),
                tr("Where the recording goes; ends in .tact.\n-o"));
  operator_ =
      field(tr("Operator"), QStringLiteral("operatorName"), tr("Who measures.\n--operator"));
  bindField(operator_, state_.preferences(), &Preferences::operatorName,
            &Preferences::setOperatorName);
  serial_ = field(tr("Serial"), QStringLiteral("sensorSerial"),
                  tr("Of the sensor on the rig.\n--serial"));
  notes_ = field(tr("Notes"), QStringLiteral("notes"), tr("Kept in the file.\n--notes"));
  room_ = field(tr("Room [°C]"), QStringLiteral("roomTemperature"),
                tr("The room's temperature, kept in the file; model and report name it.\n"
                   "--temperature"));
  auto* celsius = new QDoubleValidator(kColdest_degC, kHottest_degC, 2, room_);
  celsius->setNotation(QDoubleValidator::StandardNotation);
  room_->setValidator(celsius);
  words_ = new QLabel(this);
  words_->setObjectName(QStringLiteral("dryRun"));
  words_->setWordWrap(true);
  words_->setProperty("look", "caption");
  body()->addWidget(words_);
  connect(&state_.protocol(), &ProtocolChoice::chosen, this,
          [this] { choose(*state_.protocol().choice()); });
  if (state_.protocol().choice()) choose(*state_.protocol().choice());
  connect(kind_, &Segmented::chosen, this, &RecordForm::showKind);
  connect(protocol_, &QComboBox::currentIndexChanged, this, &RecordForm::refresh);
  connect(file_, &QLineEdit::editingFinished, this, &RecordForm::refresh);
  connect(other, &QToolButton::clicked, this, [this] {
    const auto chosen = QFileDialog::getOpenFileName(
        this, tr("Protocol"), state_.files().libraryFolder(), tr("Protocols (*.json)"), nullptr,
        QFileDialog::DontUseNativeDialog);
    if (chosen.isEmpty()) return;
    protocol_->addItem(QFileInfo(chosen).fileName(), chosen);
    protocol_->setCurrentIndex(protocol_->count() - 1);
  });
}

QLineEdit* RecordForm::field(const QString& label, const QString& name, const QString& tip) {
  auto* row = new QHBoxLayout;
  auto* words = new QLabel(label, this);
  words->setProperty("look", "caption");
  words->setFixedWidth(64);
  auto* made = new QLineEdit(this);
  made->setObjectName(name);
  made->setAccessibleName(label);
  made->setToolTip(tip);
  words->setBuddy(made);
  row->addWidget(words);
  row->addWidget(made, 1);
  if (name == QStringLiteral("recordFile")) {
    auto* choose = new QToolButton(this);
    choose->setProperty("look", "small");
    choose->setText(tr("Choose…"));
    choose->setAccessibleName(tr("Choose the file"));
    connect(choose, &QToolButton::clicked, this, [this] {
      const auto filter = tr("Recordings (*.tact)");
      const auto chosen =
          kind_->current() == 1
              ? QFileDialog::getOpenFileName(this, tr("Resume"), target(), filter, nullptr,
                                             QFileDialog::DontUseNativeDialog)
              : QFileDialog::getSaveFileName(
                    this, tr("Record into"), target(), filter, nullptr,
                    QFileDialog::DontUseNativeDialog | QFileDialog::DontConfirmOverwrite);
      if (chosen.isEmpty()) return;
      file_->setText(chosen);
      refresh();
    });
    row->addWidget(choose);
  }
  body()->addLayout(row);
  return made;
}

QString RecordForm::target() const {
  auto name = file_->text().trimmed();
  if (!name.isEmpty() && !name.endsWith(QStringLiteral(".tact"))) name += QStringLiteral(".tact");
  return name;
}

void RecordForm::proposeName() {
  auto sensor = text(rig_.facts().sensor.model).toLower();
  sensor.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
  if (sensor.isEmpty()) sensor = QStringLiteral("recording");
  file_->setText(
      QStringLiteral("%1/%2_%3.tact")
          .arg(state_.files().libraryFolder(), sensor,
               QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HHmmss"))));
}

void RecordForm::showTimes(const std::vector<ProtocolGuide>& guides) {
  for (const auto& guide : guides) {
    const int row = protocol_->findData(text(guide.name));
    if (row < 0) continue;
    protocol_->setItemText(
        row, QStringLiteral("%1 · %2").arg(text(guide.name), text(guide.time_words())));
    protocol_->setItemData(row, text(guide.description), Qt::ToolTipRole);
  }
}

void RecordForm::showKind() {
  const bool resumes = kind_->current() == 1;
  protocol_row_->setVisible(!resumes);
  for (auto* made : {operator_, serial_, notes_, room_}) made->setEnabled(!resumes);
  if (resumes)
    file_->clear();
  else
    proposeName();
  refresh();
}

void RecordForm::choose(const ProtocolChoice::Choice& choice) {
  const bool refreshes = !choice.refresh.isEmpty();
  const bool by_targets = choice.protocol.isEmpty() && !refreshes;
  const auto words = refreshes    ? tr("changes since %1").arg(QFileInfo(choice.refresh).fileName())
                     : by_targets ? tr("until %1").arg(choice.targets)
                                  : QFileInfo(choice.protocol).fileName();
  int row = refreshes    ? protocol_->findData(choice.refresh, kRefresh)
            : by_targets ? protocol_->findData(choice.targets, kTargets)
                         : protocol_->findData(choice.protocol);
  {
    const QSignalBlocker quiet(protocol_);  // its dry run comes once
    if (row < 0) {
      row = protocol_->count();
      protocol_->addItem(words, choice.protocol);
    }
    if (by_targets) {
      protocol_->setItemData(row, choice.targets, kTargets);
      protocol_->setItemData(row, choice.minutes, kMinutes);
      protocol_->setItemData(row, tr("Presses choose themselves while they are recorded.\n--until"),
                             Qt::ToolTipRole);
    }
    if (refreshes) {
      protocol_->setItemData(row, choice.refresh, kRefresh);
      protocol_->setItemData(row,
                             tr("Presses what shows which gains have moved since that model.\n"
                                "--refresh"),
                             Qt::ToolTipRole);
    }
    protocol_->setCurrentIndex(row);
    kind_->setCurrent(0);
  }
  showKind();
}

void RecordForm::resume(const QString& file) {
  kind_->setCurrent(1);
  showKind();
  file_->setText(file);
  refresh();
}

void RecordForm::renew() {
  kind_->setCurrent(0);
  showKind();
}

/// Nothing while it is no number of a room.
std::optional<double> RecordForm::temperature_degC() const {
  if (room_->text().isEmpty() || !room_->hasAcceptableInput()) return std::nullopt;
  return room_->text().toDouble();
}

RecordRequest RecordForm::request() const {
  RecordRequest request;
  request.place = rig_.facts().place;
  request.resume = kind_->current() == 1;
  if (!request.resume) request.protocol = protocol_->currentData().toString().toStdString();
  const auto targets = protocol_->currentData(kTargets).toString();
  if (!request.resume && !targets.isEmpty())
    request.adaptive =
        AdaptiveWish{targets.toStdString(), protocol_->currentData(kMinutes).toDouble(), 1, {}};
  const auto model = protocol_->currentData(kRefresh).toString();
  if (!request.resume && !model.isEmpty()) {
    request.adaptive = AdaptiveWish{};
    request.adaptive->refresh = model.toStdString();
  }
  request.target = target().toStdString();
  request.operator_name = operator_->text().toStdString();
  request.sensor_serial = serial_->text().toStdString();
  request.notes = notes_->text().toStdString();
  request.temperature_degC = temperature_degC();
  return request;
}

rig::messages::RecordOrder RecordForm::order() const {
  const auto wanted = request();
  rig::messages::RecordOrder order;
  order.file = std::filesystem::absolute(wanted.target).string();
  order.resume = wanted.resume;
  order.set_up = true;
  order.sensor_serial = wanted.sensor_serial;
  order.operator_name = wanted.operator_name;
  order.notes = wanted.notes;
  order.temperature_degC = wanted.temperature_degC;
  if (protocol_read_) order.protocol = nlohmann::json::parse(protocol_read_->document);
  if (adaptive_) order.grows = adaptive_->steps_in_need();
  return order;
}

void RecordForm::refresh() {
  const int generation = ++generation_;
  preview_.reset();
  protocol_read_.reset();
  adaptive_.reset();
  trouble_.clear();
  const auto wanted = request();
  const QFileInfo file(target());
  if (!rig_.connected())
    trouble_ = tr("No rig is connected.");
  else if (wanted.target.empty())
    trouble_ = wanted.resume ? tr("Choose the recording that was cut off.") : tr("Name the file.");
  else if (!wanted.resume && file.exists())
    trouble_ = tr("There is a file of this name; choose another, or resume it.");
  else if (wanted.resume && !file.exists())
    trouble_ = tr("There is no such file.");
  else if (!file.dir().exists() && !QDir().mkpath(file.path()))
    trouble_ = tr("The folder can't be made.");
  words_->setText(trouble_.isEmpty() ? tr("Dry run …") : trouble_);
  emit changed();
  if (!trouble_.isEmpty()) return;
  state_.jobs().run<DryRun>(
      tr("Dry run"), Lane::kQuiet, this, [wanted](const Job& job) { return dryRun(wanted, job); },
      [this, generation](Result<DryRun> dry) {
        if (generation != generation_) return;
        if (dry) {
          preview_ = dry->preview;
          protocol_read_ = dry->protocol;
          adaptive_ = dry->adaptive;
          const auto& plan = preview_->plan;
          auto words = (adaptive_ ? tr("Begins with %1 presses, %2, up to %3 N; those behind them "
                                       "are chosen while it records")
                                  : tr("%1 presses, %2, up to %3 N"))
                           .arg(plan.presses)
                           .arg(text(duration_text(preview_->lasts_s)),
                                QString::number(plan.peak_force_N, 'g', 3));
          if (preview_->from)
            words +=
                tr("; continues at press %1, %2 % done")
                    .arg(preview_->from->presses + 1)
                    .arg(100 * preview_->from->pieces_done / std::max(1, preview_->from->pieces));
          if (const auto tells = tellsWords(dry->planned); !tells.isEmpty() && !adaptive_)
            words += QStringLiteral(". ") + tells;
          words_->setText(words);
          words_->setToolTip(adaptive_ ? QString() : planDetails(dry->planned));
          showTimes(dry->guides);
        } else {
          trouble_ = text(dry.error().message);
          words_->setText(trouble_);
        }
        emit changed();
      });
}

}  // namespace tactelier::gui
