#include "app/gui/pages/station/station_form.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/preference_field.hpp"
#include "app/workflow/catalogue/fleet_report.hpp"
#include "libcalib/protocol/protocol.hpp"

namespace tactelier::gui {
namespace {

std::filesystem::path pathOf(const QLineEdit* field) {
  return field->text().trimmed().toStdString();
}

}  // namespace

StationForm::StationForm(AppState& state, const RigLink& rig, QWidget* parent)
    : Panel(tr("Station"), parent), state_(state), rig_(rig) {
  setCaption(tr("filled in once; kept"));
  rig_words_ = new QLabel(this);
  rig_words_->setObjectName(QStringLiteral("stationRig"));
  rig_words_->setWordWrap(true);
  body()->addWidget(rig_words_);
  folder_ =
      field(tr("Folder"), "stationFolder",
            tr("Recordings, fits and labels go there.\ntactelier station FOLDER"), Choose::kFolder);
  catalogue_ = field(tr("Catalogue"), "stationCatalogue",
                     tr("Of the fleet: its limits count, and every fit is added to it. Made when "
                        "it isn't there.\n--catalogue"),
                     Choose::kCatalogue);
  buildParameters();
  buildProtocol();
  operator_ = field(tr("Operator"), "stationOperator", tr("Who stands there.\n--operator"),
                    Choose::kNothing);
  bindField(operator_, state_.preferences(), &Preferences::operatorName,
            &Preferences::setOperatorName);
  serials_ =
      field(tr("Serial list"), "stationSerials",
            tr("Serial numbers that may come, one a line; empty: any.\n--serials"), Choose::kText);
  serials_->setPlaceholderText(tr("any"));
  notes_ =
      field(tr("Notes"), "stationNotes", tr("Kept in each recording.\n--notes"), Choose::kNothing);
  known_ = new QCheckBox(tr("Only sensors that the catalogue holds"), this);
  known_->setObjectName(QStringLiteral("stationKnown"));
  known_->setToolTip(tr("Any other code is refused.\n--known"));
  body()->addWidget(known_);
  body()->addStretch(1);
  connect(catalogue_, &QLineEdit::textChanged, this, &StationForm::readCatalogue);
  refresh();
}

QLineEdit* StationForm::field(const QString& label, const char* name, const QString& tip,
                              Choose choice) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  auto* words = new QLabel(label, this);
  words->setProperty("look", "caption");
  words->setFixedWidth(theme().px(88));
  auto* made = new QLineEdit(this);
  made->setObjectName(QLatin1String(name));
  made->setAccessibleName(label);
  made->setToolTip(tip);
  words->setBuddy(made);
  row->addWidget(words);
  row->addWidget(made, 1);
  if (choice != Choose::kNothing) {
    auto* other = new QToolButton(this);
    other->setProperty("look", "small");
    other->setText(tr("Choose…"));
    other->setAccessibleName(tr("Choose: %1").arg(label));
    row->addWidget(other);
    connect(other, &QToolButton::clicked, this,
            [this, made, label, choice] { choose(made, label, choice); });
  }
  body()->addLayout(row);
  connect(made, &QLineEdit::textChanged, this, &StationForm::changed);
  return made;
}

void StationForm::choose(QLineEdit* field, const QString& label, Choose what) {
  constexpr auto kOurs = QFileDialog::DontUseNativeDialog;  // STOP keys work in it
  QString chosen;
  if (what == Choose::kFolder)
    chosen = QFileDialog::getExistingDirectory(this, label, field->text(), kOurs);
  else if (what == Choose::kCatalogue)
    chosen = QFileDialog::getSaveFileName(this, label, field->text(), tr("Catalogues (*.sqlite)"),
                                          nullptr, kOurs | QFileDialog::DontConfirmOverwrite);
  else
    chosen = QFileDialog::getOpenFileName(this, label, field->text(), tr("Text (*.txt *.csv)"),
                                          nullptr, kOurs);
  if (!chosen.isEmpty()) field->setText(chosen);
}

void StationForm::buildParameters() {
  parameters_ = field(tr("Must be right"), "stationParameters",
                      tr("Parameters that are held against the fleet's limits, commas between. "
                         "Empty: all are measured, none is judged.\n--parameter"),
                      Choose::kNothing);
  parameters_->setPlaceholderText(tr("nothing is judged"));
  add_ = new QToolButton(this);
  add_->setObjectName(QStringLiteral("addParameter"));
  add_->setProperty("look", "small");
  add_->setText(tr("Add…"));
  add_->setToolTip(tr("Parameters of the catalogue that have limits: eight sensors or more."));
  known_parameters_ = new QMenu(add_);
  add_->setMenu(known_parameters_);
  add_->setPopupMode(QToolButton::InstantPopup);
  add_->setEnabled(false);
  static_cast<QHBoxLayout*>(body()->itemAt(body()->count() - 1)->layout())->addWidget(add_);
}

void StationForm::buildProtocol() {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  auto* words = new QLabel(tr("Protocol"), this);
  words->setProperty("look", "caption");
  words->setFixedWidth(theme().px(88));
  protocol_ = new QComboBox(this);
  protocol_->setObjectName(QStringLiteral("stationProtocol"));
  protocol_->setToolTip(tr("What is pressed: one that is shipped, or a file.\n--protocol"));
  protocol_->setAccessibleName(tr("Protocol"));
  protocol_->setEditable(true);
  for (const auto& name : shipped_protocols()) protocol_->addItem(text(name));
  protocol_->setEditText(QStringLiteral("check"));
  words->setBuddy(protocol_);
  row->addWidget(words);
  row->addWidget(protocol_, 1);
  body()->addLayout(row);
  connect(protocol_, &QComboBox::editTextChanged, this, &StationForm::changed);
}

/// Offers what has limits.
void StationForm::readCatalogue() {
  const int reading = ++reading_;
  add_->setEnabled(false);
  const auto file = pathOf(catalogue_);
  if (!QFileInfo(QString::fromStdString(file.string())).isFile()) return;
  state_.jobs().run<std::vector<FleetParameter>>(
      tr("Read the catalogue"), Lane::kQuiet, this,
      [file](const Job&) -> Result<std::vector<FleetParameter>> {
        const auto catalogue = Catalogue::read(file);
        if (!catalogue) return fail(catalogue.error());
        auto report = report_fleet(*catalogue, {});
        if (!report) return fail(report.error());
        return std::move(report->parameters);
      },
      [this, reading](const Result<std::vector<FleetParameter>>& parameters) {
        if (reading != reading_) return;
        known_parameters_->clear();
        if (!parameters) return;
        for (const auto& parameter : *parameters) {
          if (!parameter.outlier_limit) continue;
          const auto path = text(parameter.path);
          connect(known_parameters_->addAction(path), &QAction::triggered, this, [this, path] {
            auto paths = parameters_->text().split(QChar(','), Qt::SkipEmptyParts);
            for (auto& one : paths) one = one.trimmed();
            if (!paths.contains(path)) paths << path;
            parameters_->setText(paths.join(QChar(',')));
          });
        }
        add_->setEnabled(!known_parameters_->isEmpty());
      });
}

QString StationForm::missing() const {
  if (!rig_.connected()) return tr("no rig is connected: connect one, or the virtual bench");
  if (pathOf(folder_).empty()) return tr("name the folder for recordings and labels");
  if (pathOf(catalogue_).empty()) return tr("name the catalogue that every fit is added to");
  return {};
}

Result<StationSettings> StationForm::settings() const {
  StationSettings made;
  made.place = rig_.facts().place;
  made.folder = pathOf(folder_);
  made.limits.catalogue = pathOf(catalogue_);
  for (const auto& path : parameters_->text().split(QChar(','), Qt::SkipEmptyParts))
    if (!path.trimmed().isEmpty()) made.limits.parameters.push_back(path.trimmed().toStdString());
  made.protocol = protocol_->currentText().trimmed().toStdString();
  made.operator_name = operator_->text().toStdString();
  made.notes = notes_->text().toStdString();
  made.known_only = known_->isChecked();
  if (const auto list = pathOf(serials_); !list.empty()) {
    auto serials = read_serials(list);
    if (!serials) return fail(serials.error());
    made.serials = std::move(*serials);
  }
  return made;
}

QString StationForm::asCommand() const {
  if (!missing().isEmpty()) return {};
  const auto& place = rig_.facts().place;
  QStringList words{QStringLiteral("tactelier station"), shellWord(folder_->text())};
  const auto add = [&](const char* option, const QString& value) {
    if (!value.isEmpty()) words << QLatin1String(option) << shellWord(value);
  };
  add("--devices", text(place.devices.string()));
  add("--rig", text(place.rig.string()));
  add("--catalogue", catalogue_->text());
  add("--parameter", parameters_->text());
  add("--protocol", protocol_->currentText());
  add("--operator", operator_->text());
  add("--serials", serials_->text());
  add("--notes", notes_->text());
  if (known_->isChecked()) words << QStringLiteral("--known");
  return words.join(QChar(' '));
}

void StationForm::refresh() {
  const auto& facts = rig_.facts();
  rig_words_->setText(rig_.connected() ? tr("Rig: %1%2, %3")
                                             .arg(facts.is_virtual ? tr("VIRTUAL, ") : QString(),
                                                  text(facts.rig.name), text(facts.sensor.model))
                                       : tr("Rig: none is connected"));
}

std::vector<std::pair<QString, QLineEdit*>> StationForm::kept() const {
  return {{QStringLiteral("folder"), folder_},
          {QStringLiteral("catalogue"), catalogue_},
          {QStringLiteral("parameters"), parameters_},
          {QStringLiteral("serials"), serials_},
          {QStringLiteral("notes"), notes_}};
}

void StationForm::saveState(QSettings& settings) const {
  for (const auto& [name, field] : kept()) settings.setValue(name, field->text());
  settings.setValue(QStringLiteral("protocol"), protocol_->currentText());
  settings.setValue(QStringLiteral("known"), known_->isChecked());
}

void StationForm::restoreState(QSettings& settings) {
  for (const auto& [name, field] : kept()) field->setText(settings.value(name).toString());
  protocol_->setEditText(
      settings.value(QStringLiteral("protocol"), QStringLiteral("check")).toString());
  known_->setChecked(settings.value(QStringLiteral("known")).toBool());
}

}  // namespace tactelier::gui
