#include "app/gui/pages/import/import_page.hpp"

#include <QAction>
#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/pages/import/import_columns.hpp"
#include "app/gui/pages/import/import_plot.hpp"
#include "app/gui/pages/import/question_panel.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/panel.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/gui/widgets/vertical_scroll.hpp"
#include "libcalib/import/guess/map_roles.hpp"
#include "libcalib/text_file.hpp"

namespace tactelier::gui {
namespace {

constexpr int kTyping_ms = 400;
constexpr std::size_t kMaxMap = 4U << 20U;

QLabel* wrapped(const char* name, QWidget* parent) {
  auto* made = new QLabel(parent);
  made->setObjectName(QLatin1String(name));
  made->setWordWrap(true);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse);
  made->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return made;
}

}  // namespace

ImportPage::ImportPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Import"), parent), later_(new QTimer(this)) {
  later_->setSingleShot(true);
  later_->setInterval(kTyping_ms);
  connect(later_, &QTimer::timeout, this, &ImportPage::preview);
  import_ = new QAction(tr("Import and fit"), this);
  import_->setToolTip(
      tr("Writes map and recording, opens the recording and fits it.\n"
         "tactelier import TABLE --map MAP -o FILE"));
  connect(import_, &QAction::triggered, this, &ImportPage::take);
  auto* table = new QAction(tr("Table…"), this);
  table->setToolTip(tr("Chooses another table."));
  connect(table, &QAction::triggered, this, &ImportPage::askTable);
  auto* map = new QAction(tr("Map…"), this);
  map->setToolTip(tr("Takes a map that is there instead of the guessed one."));
  connect(map, &QAction::triggered, this, &ImportPage::askMap);
  addHeaderAction(table, QStringLiteral("folder"));
  addHeaderAction(map, QStringLiteral("folder"));
  addHeaderAction(import_, QStringLiteral("plus"), true)
      ->setObjectName(QStringLiteral("importNow"));
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(buildLeft(), 5);
  row->addWidget(buildRight(), 4);
  body()->addLayout(row, 1);
  connect(&theme(), &Theme::changed, this, [this] {
    legend_->setText(spanLegend(spans_));
    showColumns();
  });
  showMessages(nullptr, tr("Choose a table, or drop one on the window."));
}

QWidget* ImportPage::buildLeft() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  found_ = new Panel(tr("What was found"), box);
  legend_ = new QLabel(found_);
  legend_->setObjectName(QStringLiteral("importLegend"));
  found_->addTool(legend_);
  force_ = new ImportPlot(found_);
  force_->setObjectName(QStringLiteral("importForce"));
  force_->setAccessibleName(tr("Force of the table over time"));
  force_->leaveTimesToTheNext();
  readings_ = new ImportPlot(found_);
  readings_->setObjectName(QStringLiteral("importReadings"));
  readings_->setAccessibleName(tr("Readings of the table over time"));
  found_->body()->addWidget(new TableTwin(force_, found_), 1);
  found_->body()->addWidget(new TableTwin(readings_, found_), 1);
  connect(force_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), readings_->xAxis,
          qOverload<const QCPRange&>(&QCPAxis::setRange));
  column->addWidget(found_, 3);
  auto* table = new Panel(tr("Columns"), box);
  table->setBodyMargins(0);
  views_ = new Segmented(tr("View"), {tr("Columns"), tr("Map")}, table);
  views_->setObjectName(QStringLiteral("importViews"));
  table->addTool(views_);
  stack_ = new QStackedWidget(table);
  columns_ = new ImportColumns(stack_);
  connect(columns_, &ImportColumns::picked, this, &ImportPage::pick);
  map_ = new QPlainTextEdit(stack_);
  map_->setObjectName(QStringLiteral("importMap"));
  map_->setAccessibleName(tr("The map, as it will be written"));
  map_->setProperty("look", "plain");
  map_->setFont(theme().font(Type::kMono));
  map_->setTabChangesFocus(true);
  stack_->addWidget(columns_);
  stack_->addWidget(map_);
  table->body()->addWidget(stack_);
  connect(views_, &Segmented::chosen, stack_, &QStackedWidget::setCurrentIndex);
  connect(map_, &QPlainTextEdit::textChanged, this, [this] {
    own_map_ = map_->toPlainText() != text(guessed_.text);
    later_->start();
  });
  column->addWidget(table, 2);
  return box;
}

QWidget* ImportPage::buildRight() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(12);
  questions_ = new QuestionPanel(box);
  questions_->hide();
  connect(questions_, &QuestionPanel::changed, this, [this] {
    own_map_ = false;  // an answer makes another guess
    later_->start();
  });
  column->addWidget(questions_);
  auto* messages = new Panel(tr("Messages"), box);
  messages_ = wrapped("importMessages", messages);
  messages->body()->addWidget(messages_);
  column->addWidget(messages);
  auto* understood = new Panel(tr("Understood"), box);
  understood_ = wrapped("importUnderstood", understood);
  understood->body()->addWidget(understood_);
  column->addWidget(understood);
  auto* files = new Panel(tr("Files"), box);
  map_file_ = pathRow(files, tr("Map"), "importMapFile", tr("Which column is what.\n--map"));
  target_ = pathRow(files, tr("Recording"), "importTarget", tr("Ends in .tact.\n-o"));
  replace_ = new QCheckBox(tr("Replace files of these names"), files);
  replace_->setObjectName(QStringLiteral("importReplace"));
  replace_->setToolTip(QStringLiteral("--force"));
  files->body()->addWidget(replace_);
  column->addWidget(files);
  column->addStretch(1);
  return new VerticalScroll(box, this);
}

QLineEdit* ImportPage::pathRow(Panel* panel, const QString& label, const char* name,
                               const QString& tip) {
  auto* row = new QHBoxLayout;
  auto* words = new QLabel(label, panel);
  words->setProperty("look", "caption");
  words->setFixedWidth(theme().px(72));
  auto* field = new QLineEdit(panel);
  field->setObjectName(QLatin1String(name));
  field->setAccessibleName(label);
  field->setToolTip(tip);
  words->setBuddy(field);
  row->addWidget(words);
  row->addWidget(field, 1);
  panel->body()->addLayout(row);
  return field;
}

void ImportPage::open(const QString& source) {
  source_ = source;
  own_map_ = false;
  guessed_ = {};
  questions_->forget();
  {
    const QSignalBlocker quiet(map_);
    map_->clear();
  }
  const auto map = text(map_beside(source.toStdString()).string());
  map_file_->setText(map);
  auto target = map;
  target.replace(target.size() - int(sizeof(".map.json")) + 1, sizeof(".map.json") - 1,
                 QStringLiteral(".tact"));
  target_->setText(target);
  replace_->setChecked(false);
  preview();
}

void ImportPage::askTable() {
  const auto table = QFileDialog::getOpenFileName(
      this, tr("Import a table"),
      source_.isEmpty() ? state().files().libraryFolder() : QFileInfo(source_).path(),
      tr("Tables (*.csv *.tsv *.txt *.npy *.npz *.mat *.h5 *.hdf5 *.xlsx *.ods *.mcap *.db3);;All "
         "files (*)"));
  if (!table.isEmpty()) open(table);
}

void ImportPage::askMap() {
  const auto file = QFileDialog::getOpenFileName(this, tr("Map file: which column is what"),
                                                 QFileInfo(source_).path(), tr("Maps (*.json)"));
  if (file.isEmpty()) return;
  const auto read = read_text_file(file.toStdString(), kMaxMap);
  if (!read) return showMessages(nullptr, text(read.error().message));
  map_file_->setText(file);
  replace_->setChecked(true);
  map_->setPlainText(text(*read));
  views_->setCurrent(1);
  stack_->setCurrentIndex(1);
}

/// Another role for a column, picked in the table: the map says it from now on.
void ImportPage::pick(const QString& column, const QString& target, const QString& unit) {
  const auto map = with_role(map_->toPlainText().toStdString(), column.toStdString(),
                             {target.toStdString(), unit.toStdString()});
  if (!map) {
    showColumns();
    return showMessages(nullptr, text(map.error().message));
  }
  map_->setPlainText(text(*map));
  showColumns();
}

/// Guess, import into a temporary file, read back: on a worker, the earlier picture stays.
void ImportPage::preview() {
  if (source_.isEmpty()) return;
  if (reading_ != 0) state().jobs().cancel(reading_);
  const auto answers = questions_->answers();
  if (!answers) {
    importable_ = false;
    return showMessages(nullptr, text(answers.error().message));
  }
  PreviewRequest request;
  request.guess = {source_.toStdString(), *answers};
  if (own_map_) request.map = map_->toPlainText().toStdString();
  setHeaderState(tr("%1 · looking").arg(QFileInfo(source_).fileName()));
  import_->setEnabled(false);
  auto id = std::make_shared<int>(0);
  *id = state().jobs().run<ImportPreview>(
      tr("Look at %1").arg(QFileInfo(source_).fileName()), Lane::kWork, this,
      [request](const Job& job) { return preview_import(request, job); },
      [this, id](const Result<ImportPreview>& preview) {
        if (reading_ != *id) return;  // a newer one is on its way
        reading_ = 0;
        if (preview) return show(*preview);
        importable_ = false;
        setHeaderState(QFileInfo(source_).fileName());
        showMessages(nullptr, text(preview.error().message));
      });
  reading_ = *id;
}

/// The map first: what was imported can be imported again.
void ImportPage::take() {
  const auto map = map_file_->text().trimmed();
  const auto target = target_->text().trimmed();
  const bool replace = replace_->isChecked();
  if (QFileInfo::exists(target) && !replace)
    return showMessages(nullptr,
                        tr("%1 is there already: choose another name, or replace it.").arg(target));
  auto written = guessed_;
  written.text = map_->toPlainText().toStdString();
  if (QFileInfo::exists(map) && !replace)
    return showMessages(nullptr,
                        tr("%1 is there already: choose another name, or replace it.").arg(map));
  if (const auto done = write_map(written, map.toStdString(), replace); !done)
    return showMessages(nullptr, text(done.error().message));
  openInFit(target);
  state().recordings().importInto(source_, map, target);
}

void ImportPage::openInFit(const QString& target) {
  const auto file = QFileInfo(target).absoluteFilePath();
  auto* once = new QObject(this);
  connect(&state().recordings(), &Recordings::opened, once, [this, once, file] {
    auto* document = state().recording();
    if (document == nullptr || document->recording()->path() != file) return;
    once->deleteLater();
    if (state().fit().runAlone(document)) goTo(QStringLiteral("fit"));
  });
}

QWidget* ImportPage::firstFocus() {
  if (auto* question = questions_->first()) return question;
  return columns_;
}

}  // namespace tactelier::gui
