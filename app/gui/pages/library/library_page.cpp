#include "app/gui/pages/library/library_page.hpp"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>

#include "app/gui/item_models/library_model.hpp"
#include "app/gui/pages/library/batch_fit.hpp"
#include "app/gui/pages/library/file_panel.hpp"
#include "app/gui/pages/library/fleet_view.hpp"
#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/text/shell_words.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/delegates.hpp"
#include "app/gui/widgets/segmented.hpp"

namespace tactelier::gui {
namespace {

QString shortPath(const QString& folder) {
  const auto home = QDir::homePath();
  return folder.startsWith(home) && home.size() > 1 ? QLatin1Char('~') + folder.mid(home.size())
                                                    : folder;
}

}  // namespace

LibraryPage::LibraryPage(const PageContext& context, QWidget* parent)
    : Page(context, tr("Library"), parent),
      model_(new LibraryModel(this)),
      filter_(new LibraryFilter(this)) {
  choose_folder_ = new QAction(tr("Folder…"), this);
  choose_folder_->setToolTip(tr("Chooses the folder whose recordings and models are shown."));
  connect(choose_folder_, &QAction::triggered, this, [this] {
    const auto folder = QFileDialog::getExistingDirectory(this, tr("Folder of the Library"),
                                                          state().files().libraryFolder());
    if (!folder.isEmpty()) state().files().setLibraryFolder(folder);
  });
  refresh_ = new QAction(tr("Read again"), this);
  refresh_->setToolTip(tr("Looks for new and changed files."));
  connect(refresh_, &QAction::triggered, this, &LibraryPage::refresh);
  open_ = new QAction(tr("Open"), this);
  open_->setToolTip(tr("Opens the file chosen (double-click, Enter)."));
  connect(open_, &QAction::triggered, this, &LibraryPage::openSelected);
  fit_selected_ = new QAction(tr("Fit selected"), this);
  fit_selected_->setToolTip(
      tr("Fits the selected recordings in the background, those of one serial number together.\n"
         "tactelier batch plan FILES -o PLAN && tactelier batch run PLAN"));
  batch_ = new BatchFit(state(), this);
  connect(fit_selected_, &QAction::triggered, this, &LibraryPage::fitSelected);
  connect(batch_, &BatchFit::changed, this, &LibraryPage::showBatch);
  views_ = new Segmented(tr("View"), {tr("Files"), tr("Fleet")}, this);
  views_->setObjectName(QStringLiteral("libraryViews"));
  views_->setCurrent(0);
  connect(views_, &Segmented::chosen, this, [this](int view) { showFleet(view == 1); });
  addHeaderWidget(views_);
  addHeaderAction(fit_selected_, QStringLiteral("fit"))
      ->setObjectName(QStringLiteral("fitSelected"));
  addHeaderAction(choose_folder_, QStringLiteral("folder"));
  addHeaderAction(refresh_, QString());
  import_ = new QAction(tr("Import…"), this);
  import_->setToolTip(tr("Makes a .tact recording of a session folder or of a table."));
  auto* import_button = addHeaderAction(import_, QStringLiteral("plus"));
  import_button->setObjectName(QStringLiteral("importButton"));
  auto* choices = new QMenu(import_button);
  choices->addActions({context.actions.importFolder, context.actions.importTable});
  import_button->setMenu(choices);
  import_button->setText(import_->text() + QStringLiteral("   "));  // room for the arrow

  filter_->setSourceModel(model_);
  auto* files = new QWidget(this);
  auto* row = new QHBoxLayout(files);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  row->addWidget(buildList(), 1);
  file_ = new FilePanel(state(), open_, this);
  connect(file_, &FilePanel::checkFinished, this, [this](const QString& path) {
    noteCheck(path);
    showSelected();
  });
  connect(file_, &FilePanel::chosen, this, &LibraryPage::selectFile);
  connect(file_, &FilePanel::recordWanted, this, [this] { goTo(QStringLiteral("session")); });
  connect(file_, &FilePanel::madeModel, this, &LibraryPage::refresh);
  row->addWidget(file_);
  fleet_ = new FleetView(state(), this);
  connect(batch_, &BatchFit::finished, fleet_, &FleetView::open);
  stack_ = new QStackedWidget(this);
  stack_->addWidget(files);
  stack_->addWidget(fleet_);
  body()->addWidget(stack_, 1);
  connect(&state().files(), &FileHistory::libraryFolderChanged, this, &LibraryPage::refresh);
  connect(&theme(), &Theme::changed, this, [this] {
    sizeTable();
    showSelected();
  });
  sizeTable();
  refresh();
}

QWidget* LibraryPage::buildList() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(12);
  auto* bar = new QHBoxLayout;
  search_ = new QLineEdit(box);
  search_->setObjectName(QStringLiteral("librarySearch"));
  search_->setPlaceholderText(tr("sensor, note, kind, date…   Ctrl+F"));
  search_->setAccessibleName(tr("Search the library"));
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(theme().px(160));
  search_->setMaximumWidth(theme().px(300));
  kinds_ = new Segmented(tr("Show"), {tr("All"), tr("Recordings"), tr("Models")}, box);
  bar->addWidget(search_);
  bar->addWidget(kinds_);
  bar->addStretch(1);
  column->addLayout(bar);
  auto* frame = new QFrame(box);
  frame->setProperty("look", "panel");
  auto* inside = new QVBoxLayout(frame);
  inside->setContentsMargins(1, 1, 1, 1);
  table_ = new QTableView(frame);
  table_->setObjectName(QStringLiteral("libraryTable"));
  table_->setAccessibleName(tr("Recordings and models"));
  table_->setModel(filter_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setSortingEnabled(true);
  table_->sortByColumn(LibraryModel::kDate, Qt::DescendingOrder);
  table_->verticalHeader()->hide();
  table_->setWordWrap(false);
  table_->setItemDelegateForColumn(LibraryModel::kPicture, new ThumbnailDelegate(table_));
  table_->setItemDelegateForColumn(LibraryModel::kState,
                                   new ChipDelegate(LibraryModel::kLookRole, table_));
  inside->addWidget(table_);
  empty_ = new QLabel(frame);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setProperty("look", "caption");
  empty_->setWordWrap(true);
  inside->addWidget(empty_, 1);
  column->addWidget(frame, 1);
  connect(search_, &QLineEdit::textChanged, filter_, &LibraryFilter::setWords);
  connect(kinds_, &Segmented::chosen, this,
          [this](int kind) { filter_->setShow(static_cast<LibraryFilter::Show>(kind)); });
  connect(table_, &QTableView::activated, this, &LibraryPage::openSelected);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &LibraryPage::showSelected);
  return box;
}

void LibraryPage::sizeTable() {
  file_->setFixedWidth(theme().px(344));
  const int widths[] = {92, 214, 150, 104, 130, 64, 72, 110};
  for (int i = 0; i < LibraryModel::kColumns; ++i) table_->setColumnWidth(i, theme().px(widths[i]));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->verticalHeader()->setDefaultSectionSize(theme().px(51));
}

void LibraryPage::refresh() {
  const auto folder = state().files().libraryFolder();
  if (scan_ != 0) state().jobs().cancel(scan_);
  setHeaderState(tr("%1 · reading").arg(shortPath(folder)));
  auto id = std::make_shared<int>(0);
  *id = state().jobs().run<std::vector<LibraryEntry>>(
      tr("Read %1").arg(shortPath(folder)), Lane::kWork, this,
      [folder](const Job& job) { return scanLibrary(folder, job); },
      [this, id](Result<std::vector<LibraryEntry>> entries) {
        if (scan_ != *id) return;  // a newer one is on its way
        scan_ = 0;
        if (entries) fill(std::move(*entries));
      });
  scan_ = *id;
}

void LibraryPage::fill(std::vector<LibraryEntry> entries) {
  qint64 bytes = 0;
  for (const auto& entry : entries) bytes += entry.bytes;
  const auto count = static_cast<int>(entries.size());
  model_->setEntries(std::move(entries));
  for (int row = 0; row < count; ++row) noteCheck(model_->entry(row).path);
  const auto folder = shortPath(state().files().libraryFolder());
  setHeaderState(tr("%1 · %n entries · %2", nullptr, count).arg(folder, fileSize(bytes)));
  const int models = model_->count(LibraryEntry::Kind::kModel);
  kinds_->setChoiceText(0, tr("All %1").arg(count));
  kinds_->setChoiceText(1, tr("Recordings %1").arg(count - models));
  kinds_->setChoiceText(2, tr("Models %1").arg(models));
  const bool had_focus = table_->hasFocus();
  table_->setVisible(count > 0);
  if (had_focus && count == 0) search_->setFocus(Qt::OtherFocusReason);  // else STOP had it
  empty_->setVisible(count == 0);
  empty_->setText(
      tr("Nothing in %1. Choose a folder, or open the example from Help › Welcome.").arg(folder));
  if (count > 0) table_->selectRow(0);
  showSelected();
}

const LibraryEntry* LibraryPage::selected() const {
  const auto rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return nullptr;
  const auto current = table_->currentIndex().siblingAtColumn(0);
  return &model_->entry(
      filter_->mapToSource(rows.contains(current) ? current : rows.first()).row());
}

QStringList LibraryPage::selectedRecordings() const {
  QStringList paths;
  for (const auto& row : table_->selectionModel()->selectedRows())
    if (const auto& entry = model_->entry(filter_->mapToSource(row).row());
        entry.kind != LibraryEntry::Kind::kModel)
      paths << entry.path;
  return paths;
}

void LibraryPage::fitSelected() {
  if (batch_->running())
    batch_->cancel();
  else
    batch_->start(selectedRecordings(), state().files().libraryFolder());
}

void LibraryPage::showBatch() {
  const auto count = selectedRecordings().size();
  const bool running = batch_->running();
  fit_selected_->setText(running     ? tr("Cancel fit")
                         : count > 1 ? tr("Fit selected (%1)").arg(count)
                                     : tr("Fit selected"));
  fit_selected_->setEnabled(running || (count > 0 && stack_->currentIndex() == 0));
}

void LibraryPage::showFleet(bool fleet) {
  views_->setCurrent(fleet ? 1 : 0);
  stack_->setCurrentIndex(fleet ? 1 : 0);
  const auto own = BatchFit::catalogueOf(state().files().libraryFolder());
  if (fleet && fleet_->catalogue().isEmpty() && QFileInfo::exists(own)) fleet_->open(own);
  showBatch();
}

void LibraryPage::showSelected() {
  const auto* entry = selected();
  open_->setEnabled(entry != nullptr);
  const bool recording = entry != nullptr && entry->kind == LibraryEntry::Kind::kRecording;
  file_->show(entry, recording ? modelsMadeOf(*entry, model_->entries())
                               : std::vector<const LibraryEntry*>{});
  showBatch();
}

void LibraryPage::noteCheck(const QString& path) {
  if (const auto report = file_->checked(path))
    model_->noteCheck(path, report->whole(), report->presses_whole, report->presses);
}

/// Of the list; a search that hides it gives way.
void LibraryPage::selectFile(const QString& path) {
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (model_->entry(row).path != path) continue;
    if (!filter_->mapFromSource(model_->index(row, 0)).isValid()) {
      search_->clear();
      kinds_->setCurrent(0);
      filter_->setShow(LibraryFilter::Show::kAll);
    }
    const auto index = filter_->mapFromSource(model_->index(row, 0));
    table_->selectRow(index.row());
    table_->scrollTo(index);
    table_->setFocus(Qt::OtherFocusReason);
  }
}

void LibraryPage::openSelected() {
  if (const auto* entry = selected()) state().open(entry->path);
}

QWidget* LibraryPage::firstFocus() {
  if (stack_->currentIndex() == 1) return fleet_->table();
  if (table_->isVisibleTo(this)) return table_;
  return search_;
}
QWidget* LibraryPage::searchField() { return search_; }

QString LibraryPage::asCommand() const {
  if (stack_->currentIndex() == 1) return fleet_->asCommand();
  if (const auto recordings = selectedRecordings(); recordings.size() > 1)
    return BatchFit::asCommand(recordings, state().files().libraryFolder());
  const auto* entry = selected();
  if (entry == nullptr) return {};
  const bool model = entry->kind == LibraryEntry::Kind::kModel;
  return QStringLiteral("tactelier %1 %2")
      .arg(model ? QStringLiteral("show") : QStringLiteral("info"), shellWord(entry->path));
}

QString LibraryPage::whyNoCommand() const {
  return stack_->currentIndex() == 1 ? tr("Choose a catalogue first.") : tr("Select a file first.");
}

void LibraryPage::saveState(QSettings& settings) const {
  settings.setValue(QStringLiteral("columns"), table_->horizontalHeader()->saveState());
  settings.setValue(QStringLiteral("catalogue"), fleet_->catalogue());
}

void LibraryPage::restoreState(QSettings& settings) {
  table_->horizontalHeader()->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
  const auto catalogue = settings.value(QStringLiteral("catalogue")).toString();
  if (QFileInfo::exists(catalogue)) fleet_->open(catalogue);
}

QString LibraryPage::helpText() const {
  return tr(
      "<p>All recordings and sensor models of one folder, with what they hold. Words typed "
      "in the search must all occur; a double-click opens.</p>"
      "<p><i>Check file</i> reads a recording to its end and compares every checksum. "
      "<i>Unpack</i> writes it as plain tables. A folder dropped anywhere in the window becomes "
      "the folder shown here.</p>"
      "<p><i>Fit selected</i> fits all that is selected (Ctrl or Shift and click) in the "
      "background, recordings of one serial number together, and puts them into a catalogue. "
      "<i>Fleet</i> shows it: of every parameter the median and its control limits, sensors that "
      "are odd, and what drifts over the dates of recording.</p>"
      "<p><b>Ctrl+F</b> search · <b>Enter</b> open</p>");
}

}  // namespace tactelier::gui
