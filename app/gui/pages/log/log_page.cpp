#include "app/gui/pages/log/log_page.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSaveFile>
#include <QSettings>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/item_models/event_model.hpp"
#include "app/gui/pages/log/event_panel.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/delegates.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "app/gui/widgets/segmented.hpp"

namespace tactelier::gui {
namespace {

constexpr Message::Level kLevels[] = {Message::Level::kInfo, Message::Level::kLook,
                                      Message::Level::kBad};

QString quoted(QString words) {
  words.replace(QLatin1Char('"'), QStringLiteral("\"\""));
  return QLatin1Char('"') + words + QLatin1Char('"');
}

QByteArray linesOf(const std::vector<LogEvent>& events, bool csv) {
  QStringList lines;
  if (csv) lines << QStringLiteral("time_utc,severity,code,happened,safe,todo,file");
  for (const auto& event : events) {
    const auto& message = event.message;
    if (!csv) {
      lines << eventLine(event);
      continue;
    }
    QStringList cells{event.time.toString(Qt::ISODateWithMs), levelWords(message.level)};
    for (const auto& words :
         {message.code, message.happened, message.safe, message.todo, message.about})
      cells << quoted(words);
    lines << cells.join(QLatin1Char(','));
  }
  lines << QString();
  return lines.join(QLatin1Char('\n')).toUtf8();
}

}  // namespace

LogPage::LogPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Event log"), parent),
      model_(new EventModel(context.state.log(), this)),
      filter_(new EventFilter(this)),
      copy_(new QAction(tr("Copy"), this)),
      save_(new QAction(tr("Save…"), this)) {
  filter_->setSourceModel(model_);
  copy_->setShortcut(QKeySequence::Copy);
  copy_->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  copy_->setToolTip(tr("Copies the events selected, or all that are shown, as lines of text."));
  save_->setToolTip(tr("Writes the events selected, or all that are shown, as CSV or text."));
  connect(copy_, &QAction::triggered, this, &LogPage::copy);
  connect(save_, &QAction::triggered, this, &LogPage::save);
  addAction(copy_);
  addHeaderAction(copy_, QStringLiteral("copy"))->setObjectName(QStringLiteral("logCopy"));
  addHeaderAction(save_, QStringLiteral("save"))->setObjectName(QStringLiteral("logSave"));
  problem_ = new QLabel(this);
  problem_->setObjectName(QStringLiteral("logProblem"));
  problem_->setProperty("look", "bad");
  problem_->setWordWrap(true);
  panel_ = new EventPanel(context.titleOf, this);
  body()->addWidget(buildBar());
  body()->addWidget(problem_);
  body()->addWidget(buildTable(), 3);
  body()->addWidget(panel_, 1);
  connect(panel_, &EventPanel::fileWanted, this,
          [this](const QString& file) { state().open(file); });
  connect(panel_, &EventPanel::pageWanted, this, [this](const QString& id) { goTo(id); });
  connect(&state().log(), &EventLog::added, this, &LogPage::refresh);
  connect(&theme(), &Theme::changed, this, &LogPage::sizeTable);
  sizeTable();
  refresh();
}

QWidget* LogPage::buildBar() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 4, 0, 0);
  search_ = new QLineEdit(box);
  search_->setObjectName(QStringLiteral("logSearch"));
  search_->setPlaceholderText(tr("words, code, file, date…   Ctrl+F"));
  search_->setAccessibleName(tr("Search the event log"));
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(180);
  search_->setMaximumWidth(420);
  levels_ = new Segmented(tr("Severity"), {tr("All"), tr("Warnings, errors"), tr("Errors")}, box);
  levels_->setObjectName(QStringLiteral("logLevels"));
  row->addWidget(search_, 1);
  row->addWidget(levels_);
  row->addStretch(1);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
    filter_->setWords(words);
    refresh();
  });
  connect(levels_, &Segmented::chosen, this, [this](int index) {
    filter_->setLeast(kLevels[index]);
    refresh();
  });
  return box;
}

QWidget* LogPage::buildTable() {
  auto* frame = new QFrame(this);
  frame->setProperty("look", "panel");
  auto* inside = new QVBoxLayout(frame);
  inside->setContentsMargins(1, 1, 1, 1);
  table_ = new QTableView(frame);
  table_->setObjectName(QStringLiteral("logTable"));
  table_->setAccessibleName(tr("Events, newest first"));
  table_->setModel(filter_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(EventModel::kTime, Qt::DescendingOrder);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setItemDelegateForColumn(EventModel::kLevel,
                                   new ChipDelegate(EventModel::kLookRole, table_));
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->addAction(copy_);
  inside->addWidget(table_, 1);
  empty_ = new QLabel(frame);
  empty_->setObjectName(QStringLiteral("logEmpty"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setProperty("look", "caption");
  empty_->setWordWrap(true);
  inside->addWidget(empty_, 1);
  connect(table_, &QTableView::activated, this, &LogPage::jump);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &LogPage::showChosen);
  return frame;
}

void LogPage::sizeTable() {
  const int widths[] = {150, 104, 110};
  for (int column = 0; column < EventModel::kWhat; ++column)
    table_->setColumnWidth(column, theme().px(widths[column]));
  table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
}

void LogPage::refresh() {
  const auto& log = state().log();
  const int all = model_->rowCount();
  const int shown = filter_->rowCount();
  setHeaderState(shown == all ? tr("%n events", nullptr, all)
                              : tr("%1 of %n events", nullptr, all).arg(shown));
  table_->setVisible(shown > 0);
  empty_->setVisible(shown == 0);
  empty_->setText(all == 0 ? tr("Nothing has been told yet.")
                           : tr("No event has these words and this severity."));
  copy_->setEnabled(shown > 0);
  save_->setEnabled(shown > 0);
  problem_->setVisible(!log.problem().isEmpty());
  problem_->setText(tr("The newest events are not in %1: %2. They go when the program ends: save "
                       "them elsewhere, or make room there.")
                        .arg(log.file(), log.problem()));
  if (!table_->currentIndex().isValid() && shown > 0) table_->setCurrentIndex(filter_->index(0, 0));
  showChosen();
}

const LogEvent* LogPage::current() const {
  const auto row = table_->currentIndex();
  return row.isValid() ? &model_->event(filter_->mapToSource(row).row()) : nullptr;
}

void LogPage::showChosen() { panel_->show(current()); }

std::vector<LogEvent> LogPage::chosen() const {
  std::vector<int> rows;
  for (const auto& row : table_->selectionModel()->selectedRows()) rows.push_back(row.row());
  if (rows.size() < 2) {  // one row is always current
    rows.clear();
    for (int row = 0; row < filter_->rowCount(); ++row) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  std::vector<LogEvent> events;
  for (const int row : rows)
    events.push_back(model_->event(filter_->mapToSource(filter_->index(row, 0)).row()));
  return events;
}

void LogPage::copy() {
  const auto events = chosen();
  QApplication::clipboard()->setText(QString::fromUtf8(linesOf(events, false)));
  setHeaderState(tr("%n events copied", nullptr, static_cast<int>(events.size())));
}

void LogPage::save() {
  const auto proposal =
      QStringLiteral("%1/events_%2.csv")
          .arg(state().files().libraryFolder(), QDate::currentDate().toString(Qt::ISODate));
  askWhereToSave(this,
                 {tr("Save the event log"), proposal, tr("Table (*.csv);;Text (*.txt)"),
                  QStringLiteral("csv")},
                 [this](const QString& file) { write(file); });
}

void LogPage::write(const QString& file) {
  const auto events = chosen();
  QSaveFile out(file);
  const bool csv = !file.endsWith(QStringLiteral(".txt"));
  const bool written =
      out.open(QIODevice::WriteOnly) && out.write(linesOf(events, csv)) >= 0 && out.commit();
  if (written)
    state().notifications().status(
        tr("%n events saved in %1.", nullptr, static_cast<int>(events.size())).arg(file));
  else
    state().notifications().notify(
        Message::Level::kBad, tr("%1 can't be written: %2.").arg(file, out.errorString()),
        tr("The event log is as it was."), tr("Choose another folder, or make room."));
}

void LogPage::jump() {
  const auto* event = current();
  if (event == nullptr) return;
  const auto message = event->message;  // opening tells something too
  if (!message.about.isEmpty() && QFileInfo::exists(message.about))
    state().open(message.about);
  else if (!message.page.isEmpty())
    goTo(message.page);
}

QWidget* LogPage::firstFocus() {
  return table_->isVisibleTo(this) ? static_cast<QWidget*>(table_) : search_;
}

QWidget* LogPage::searchField() { return search_; }

QString LogPage::whyNoCommand() const {
  return tr("The log is a file: %1").arg(state().log().file());
}

void LogPage::saveState(QSettings& settings) const {
  settings.setValue(QStringLiteral("level"), levels_->current());
}

void LogPage::restoreState(QSettings& settings) {
  const int level = std::clamp(settings.value(QStringLiteral("level")).toInt(), 0, 2);
  levels_->setCurrent(level);
  filter_->setLeast(kLevels[level]);
  refresh();
}

QString LogPage::helpText() const {
  return tr("<p>All that the app has told and the rig has reported, newest first: messages, modes, "
            "STOPs with their acknowledgement, recordings from begin to end, presses that went "
            "wrong, "
            "questions, notes, devices that fell silent. It outlives the program: the newest %1 "
            "events "
            "are read again at the next start.</p>"
            "<p>Words typed in the search must all occur. An event's code is a reason code "
            "(below), or "
            "the limit that acted.</p>"
            "<p><b>Ctrl+F</b> search · <b>Enter</b> opens the file that an event is about, or its "
            "page · "
            "<b>Ctrl+C</b> copy · <b>Ctrl+A</b> all</p>")
      .arg(EventLog::kKept);
}

}  // namespace tactelier::gui
