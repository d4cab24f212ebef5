#include "app/gui/pages/settings/settings_page.hpp"

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/gui/state/app_state.hpp"
#include "app/gui/state/rig_link.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/preference_field.hpp"
#include "app/gui/widgets/segmented.hpp"

namespace tactelier::gui {
namespace {

constexpr int kWidth = 760;  // lines stay short enough to read

QGridLayout* gridOf(Panel* panel) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(8);
  grid->setColumnStretch(1, 1);
  const auto align = [grid] { grid->setColumnMinimumWidth(0, theme().px(90)); };
  align();
  QObject::connect(&theme(), &Theme::changed, panel, align);
  panel->body()->addLayout(grid);
  return grid;
}

QLabel* caption(QGridLayout* grid, const char* name, const QString& words = {}) {
  auto* label = new QLabel(words);
  label->setObjectName(QLatin1String(name));
  label->setProperty("look", "caption");
  label->setWordWrap(true);
  grid->addWidget(label, grid->rowCount(), 1, 1, 2);
  return label;
}

}  // namespace

SettingsPage::SettingsPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Settings"), parent), reset_(new QAction(tr("Reset to defaults"), this)) {
  setHeaderState(tr("applied and kept at once"));
  connect(reset_, &QAction::triggered, this, &SettingsPage::reset);
  addHeaderAction(reset_, QStringLiteral("undo"))->setObjectName(QStringLiteral("settingsReset"));
  auto* column = new QWidget(this);
  column->setMaximumWidth(theme().px(kWidth));
  auto* panels = new QVBoxLayout(column);
  panels->setContentsMargins(0, 4, 0, 0);
  panels->setSpacing(12);
  for (auto* panel : {buildAppearance(), buildFiles(), buildRecording()}) panels->addWidget(panel);
  panels->addStretch(1);
  body()->addWidget(column, 1);
  connect(&theme(), &Theme::changed, this, [this, column] {
    column->setMaximumWidth(theme().px(kWidth));
    refresh();
  });
  connect(&state().preferences(), &Preferences::changed, this, &SettingsPage::refresh);
  connect(&state().files(), &FileHistory::libraryFolderChanged, this, &SettingsPage::refresh);
  connect(&state().files(), &FileHistory::recentChanged, this, &SettingsPage::refresh);
  refresh();
}

void SettingsPage::addRow(QGridLayout* grid, const QString& label, QWidget* control,
                          QWidget* button) {
  const int row = grid->rowCount();
  auto* words = new QLabel(label);
  words->setBuddy(control);
  control->setAccessibleName(label);
  grid->addWidget(words, row, 0);
  grid->addWidget(control, row, 1, 1, button == nullptr ? 2 : 1);
  if (button != nullptr) grid->addWidget(button, row, 2);
}

QCheckBox* SettingsPage::check(QGridLayout* grid, const QString& words, const char* name,
                               const QString& tip) {
  auto* made = new QCheckBox(words, this);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  grid->addWidget(made, grid->rowCount(), 1, 1, 2);
  return made;
}

QLineEdit* SettingsPage::field(QGridLayout* grid, const QString& label, const char* name,
                               const QString& tip, Choose choose) {
  auto* made = new QLineEdit(this);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  QToolButton* button = nullptr;
  if (choose != Choose::kNothing) {
    button = new QToolButton(this);
    button->setProperty("look", "small");
    button->setText(tr("Choose…"));
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setAccessibleName(tr("Choose: %1").arg(label));
    connect(button, &QToolButton::clicked, this,
            [this, made, label, choose] { ask(made, label, choose); });
  }
  addRow(grid, label, made, button);
  return made;
}

void SettingsPage::ask(QLineEdit* field, const QString& title, Choose choose) {
  // A native dialog swallows the keys that stop the rig.
  const auto how =
      rig().motionPossible() ? QFileDialog::DontUseNativeDialog : QFileDialog::Options();
  const auto chosen = choose == Choose::kFolder
                          ? QFileDialog::getExistingDirectory(this, title, field->text(),
                                                              how | QFileDialog::ShowDirsOnly)
                          : QFileDialog::getOpenFileName(this, title, field->text(),
                                                         tr("JSON files (*.json)"), nullptr, how);
  if (chosen.isEmpty()) return;
  field->setText(chosen);
  emit field->editingFinished();
}

Panel* SettingsPage::buildAppearance() {
  auto* panel = new Panel(tr("Appearance"), this);
  auto* grid = gridOf(panel);
  auto& preferences = state().preferences();
  theme_ = new Segmented(tr("Theme"), {tr("System"), tr("Light"), tr("Dark")}, panel);
  theme_->setObjectName(QStringLiteral("settingsTheme"));
  theme_->setToolTip(tr("Colours. System: as the desktop was at start.\nCtrl+Shift+D"));
  addRow(grid, tr("Theme"), theme_);
  grid->setAlignment(theme_, Qt::AlignLeft);
  connect(theme_, &Segmented::chosen, &preferences,
          [&preferences](int index) { preferences.setTheme(static_cast<Theme::Choice>(index)); });
  scale_ = new QSpinBox(panel);
  scale_->setObjectName(QStringLiteral("settingsScale"));
  scale_->setRange(80, 200);
  scale_->setSingleStep(10);
  scale_->setSuffix(tr(" %"));
  scale_->setKeyboardTracking(false);  // 15 on the way to 150
  scale_->setToolTip(
      tr("Size of text and everything that follows it, 80 to 200 % of 10 points; "
         "at first that of the desktop.\nCtrl++, Ctrl+−"));
  addRow(grid, tr("Text size"), scale_);
  grid->setAlignment(scale_, Qt::AlignLeft);
  connect(scale_, &QSpinBox::valueChanged, &preferences,
          [&preferences](int percent) { preferences.setScale(percent / 100.0); });
  banner_ = check(grid, tr("Large banner"), "settingsBanner",
                  tr("Mode word and banner twice as high, to read across a room."));
  connect(banner_, &QCheckBox::toggled, &preferences, &Preferences::setLargeBanner);
  welcome_ = check(grid, tr("Begin with the Welcome page"), "settingsWelcome",
                   tr("Otherwise with the page that was in front last."));
  connect(welcome_, &QCheckBox::toggled, &preferences, &Preferences::setWelcomeAtStart);
  sounds_ = check(grid, tr("A sound at STOP, fault and question"), "settingsSounds",
                  tr("The desktop's own sound. The window shows all of them too."));
  connect(sounds_, &QCheckBox::toggled, &preferences, &Preferences::setSounds);
  return panel;
}

Panel* SettingsPage::buildFiles() {
  auto* panel = new Panel(tr("Files"), this);
  auto* grid = gridOf(panel);
  folder_ = field(grid, tr("Folder"), "settingsFolder",
                  tr("Where recordings are proposed to go, and what the Library shows."),
                  Choose::kFolder);
  connect(folder_, &QLineEdit::editingFinished, this, &SettingsPage::takeFolder);
  folder_words_ = caption(grid, "settingsFolderWords");
  recent_words_ = new QLabel(panel);
  forget_ = new QPushButton(tr("Forget them"), panel);
  forget_->setObjectName(QStringLiteral("settingsForget"));
  forget_->setToolTip(tr("Empties the list of Welcome and of the menu. The files stay."));
  addRow(grid, tr("Recent files"), recent_words_, forget_);
  connect(forget_, &QPushButton::clicked, this, [this] { state().files().forgetRecent(); });
  return panel;
}

Panel* SettingsPage::buildRecording() {
  auto* panel = new Panel(tr("Recording"), this);
  auto* grid = gridOf(panel);
  auto& preferences = state().preferences();
  auto* who = field(grid, tr("Operator"), "settingsOperator",
                    tr("Who measures: written into recordings.\n--operator"), Choose::kNothing);
  bindField(who, preferences, &Preferences::operatorName, &Preferences::setOperatorName);
  auto* devices = field(grid, tr("Device file"), "settingsDeviceFile",
                        tr("Which device is reached how.\n--devices"), Choose::kJson);
  bindField(devices, preferences, &Preferences::deviceFile, &Preferences::setDeviceFile);
  auto* rig_file = field(grid, tr("Rig file"), "settingsRigFile",
                         tr("Limits, travel and places of the stage.\n--rig"), Choose::kJson);
  bindField(rig_file, preferences, &Preferences::rigFile, &Preferences::setRigFile);
  caption(grid, "settingsRigWords",
          tr("The same as on the Session and Station pages. Limits stand in the rig file, ports in "
             "the device file; neither is a setting of this program."));
  return panel;
}

void SettingsPage::takeFolder() {
  auto wanted = QDir::fromNativeSeparators(folder_->text().trimmed());
  if (wanted.startsWith(QStringLiteral("~/"))) wanted.replace(0, 1, QDir::homePath());
  const QFileInfo info(wanted);
  const bool wrong = wanted.isEmpty() || !info.isAbsolute() || (info.exists() && !info.isDir());
  folder_->setProperty("wrong", wrong);
  folder_->style()->unpolish(folder_);
  folder_->style()->polish(folder_);
  folder_words_->setVisible(true);
  if (wrong)
    folder_words_->setText((info.exists() && !info.isDir()
                                ? tr("%1 is a file, not a folder; %2 stays.")
                                : tr("'%1' names no folder from the root on; %2 stays."))
                               .arg(wanted, state().files().libraryFolder()));
  else if (wanted != state().files().libraryFolder())
    state().files().setLibraryFolder(wanted);  // refreshes
  else
    refresh();
}

void SettingsPage::refresh() {
  auto& preferences = state().preferences();
  const auto folder = state().files().libraryFolder();
  theme_->setCurrent(static_cast<int>(theme().choice()));
  {
    const QSignalBlocker quiet(scale_);
    scale_->setValue(qRound(100 * theme().scale()));
  }
  banner_->setChecked(preferences.largeBanner());
  welcome_->setChecked(preferences.welcomeAtStart());
  sounds_->setChecked(preferences.sounds());
  if (!folder_->property("wrong").toBool() || !folder_->hasFocus()) {
    folder_->setText(folder);
    folder_->setProperty("wrong", false);
    folder_->style()->unpolish(folder_);
    folder_->style()->polish(folder_);
    folder_words_->setText(QFileInfo::exists(folder)
                               ? QString()
                               : tr("Not there yet: made with the first recording."));
    folder_words_->setVisible(!folder_words_->text().isEmpty());
  }
  const auto recent = static_cast<int>(state().files().recent().size());
  recent_words_->setText(recent == 0 ? tr("none") : tr("%n files", nullptr, recent));
  forget_->setEnabled(recent > 0);
  if (!resetting_) before_.clear();  // something else was chosen since
  const bool back = !before_.isEmpty();
  reset_->setText(back ? tr("Take the reset back") : tr("Reset to defaults"));
  reset_->setToolTip(back ? tr("All settings as they were before the reset.")
                          : tr("Appearance, folder, operator and the rig's files as in a new "
                               "installation. Recent files stay."));
  reset_->setEnabled(back || !preferences.own().isEmpty() ||
                     folder != FileHistory::usualLibraryFolder());
}

void SettingsPage::reset() {
  resetting_ = true;
  auto& files = state().files();
  if (before_.isEmpty()) {
    before_ = state().preferences().own();
    folder_before_ = files.libraryFolder();
    before_.insert(QStringLiteral("reset"), true);  // also where only the folder was another one
    files.setLibraryFolder(FileHistory::usualLibraryFolder());
    state().preferences().setAll({});
  } else {
    files.setLibraryFolder(folder_before_);
    state().preferences().setAll(std::exchange(before_, {}));
  }
  refresh();
  resetting_ = false;
}

QWidget* SettingsPage::firstFocus() { return theme_->findChild<QToolButton*>(); }

QString SettingsPage::whyNoCommand() const {
  return tr("The command line takes each of these as an option.");
}

QString SettingsPage::helpText() const {
  return tr(
      "<p>A change is applied and kept at once. <i>Reset to defaults</i> brings all settings to "
      "what a new installation has; the same button takes that back until something else is "
      "changed.</p>"
      "<p>Operator, device file and rig file are those of the Session page: changed in one place, "
      "they are changed in all. Units are no setting: files and window say the same everywhere.</p>"
      "<p><b>Ctrl+,</b> this page · <b>Ctrl+Shift+D</b> light or dark · <b>Ctrl++</b>, "
      "<b>Ctrl+−</b> text size</p>");
}

}  // namespace tactelier::gui
