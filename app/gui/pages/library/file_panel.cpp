#include "app/gui/pages/library/file_panel.hpp"
#include "app/gui/widgets/action_button.hpp"

#include <QDesktopServices>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>

#include "app/gui/pages/library/model_refresh.hpp"
#include "app/gui/text/check_words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/page.hpp"
#include "app/gui/widgets/plot_view.hpp"
#include "app/gui/widgets/save_dialog.hpp"
#include "app/gui/widgets/table_twin.hpp"
#include "app/workflow/import_session.hpp"

namespace tactelier::gui {
namespace {

constexpr double kLongInSeconds_s = 180;

QPushButton* button(QWidget* parent, const char* name, const QString& words, const QString& icon) {
  auto* made = new QPushButton(words, parent);
  made->setObjectName(QLatin1String(name));
  if (!icon.isEmpty()) setThemedIcon(made, icon);
  return made;
}

}  // namespace

FilePanel::FilePanel(AppState& state, QAction* open, QWidget* parent)
    : Panel(tr("Selected"), parent), state_(state) {
  name_ = new QLabel(this);
  name_->setTextFormat(Qt::PlainText);
  name_->setWordWrap(true);
  file_state_ = new QLabel(this);
  file_state_->setProperty("look", "caption");
  force_ = new PlotView(this);
  force_->setObjectName(QStringLiteral("libraryForce"));
  force_->setAccessibleName(tr("Force over the whole recording"));
  force_->addSeries({{}, Token::kLine1, 1.2});
  overview_ = new TableTwin(force_, this);
  facts_ = new QWidget(this);
  body()->addWidget(name_);
  body()->addWidget(file_state_);
  // What a low window has no room for scrolls; the buttons stay.
  auto* told = new QWidget(this);
  auto* column = new QVBoxLayout(told);
  column->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(told);
  for (auto* part : {scroll->viewport(), told}) part->setAutoFillBackground(false);
  column->addWidget(overview_);
  column->addWidget(facts_);
  check_words_ = new QLabel(this);
  check_words_->setObjectName(QStringLiteral("checkWords"));
  check_words_->setTextFormat(Qt::PlainText);
  check_words_->setWordWrap(true);
  check_words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(check_words_);
  column->addStretch(1);
  body()->addWidget(scroll, 1);
  buildButtons(open);
  refresh_ = new ModelRefresh(state_, this);
  connect(refresh_, &ModelRefresh::recordWanted, this, &FilePanel::recordWanted);
  connect(refresh_, &ModelRefresh::written, this, &FilePanel::madeModel);
  body()->addWidget(refresh_);
  column->insertWidget(column->count() - 1, refresh_->words());
  show(nullptr, {});
}

void FilePanel::buildButtons(QAction* open) {
  auto* grid = new QGridLayout;
  grid->setSpacing(8);
  check_ = button(this, "checkFile", {}, QStringLiteral("check"));
  unpack_ = button(this, "unpackFile", tr("Unpack…"), QStringLiteral("folder"));
  folder_ = button(this, "showFolder", tr("Show folder"), {});
  folder_->setToolTip(tr("Opens the folder in the desktop's file manager."));
  grid->addWidget(new ActionButton(open, QStringLiteral("folder"), true, this), 0, 0);
  grid->addWidget(check_, 0, 1);
  grid->addWidget(unpack_, 1, 0);
  grid->addWidget(folder_, 1, 1);
  body()->addLayout(grid);
  connect(check_, &QPushButton::clicked, this, &FilePanel::check);
  connect(unpack_, &QPushButton::clicked, this, &FilePanel::askUnpack);
  connect(folder_, &QPushButton::clicked, this, &FilePanel::showFolder);
}

void FilePanel::show(const LibraryEntry* entry, const std::vector<const LibraryEntry*>& used_in) {
  used_in_.clear();
  for (const auto* model : used_in) used_in_ << model->path;
  entry_ = entry == nullptr ? std::nullopt : std::optional(*entry);
  const bool recording = entry_ && entry_->kind == LibraryEntry::Kind::kRecording;
  const bool model = entry_ && entry_->kind == LibraryEntry::Kind::kModel;
  name_->setFont(theme().font(Type::kLead));
  name_->setText(entry_ ? entry_->name : tr("Nothing selected"));
  file_state_->setText(entry_ ? entry_->state : QString());
  check_->setEnabled(entry_ && !model);
  check_->setToolTip(model ? tr("A model has no checksums; opening it checks every number.")
                           : tr("Reads everything and compares the checksums.\n"
                                "tactelier info FILE"));
  unpack_->setEnabled(recording);
  unpack_->setToolTip(recording ? tr("Writes the recording as plain tables into a new folder.\n"
                                     "tactelier unpack FILE FOLDER")
                                : tr("Only a .tact recording can be unpacked."));
  folder_->setEnabled(entry_.has_value());
  refresh_->show(model ? entry_->path : QString());
  showOverview();
  showFacts();
  showCheck();
}

void FilePanel::showOverview() {
  const bool any = entry_ && !entry_->force.empty();
  overview_->setVisible(any);
  overview_->setFixedHeight(theme().px(132));
  if (!any) return;
  const bool minutes = entry_->force.back().end_s > kLongInSeconds_s;
  std::vector<Point> points;
  for (const auto& part : entry_->force) {
    points.push_back({part.begin_s / (minutes ? 60 : 1), part.min});
    points.push_back({part.end_s / (minutes ? 60 : 1), part.max});
  }
  force_->setAxisLabels(minutes ? tr("Time t [min]") : tr("Time t [s]"), tr("Force F [N]"));
  force_->setPoints(0, std::move(points));
  force_->fitAll();
}

QLabel* FilePanel::addFact(QGridLayout* grid, const QString& label) {
  const int row = grid->count() / 2;
  auto* name = new QLabel(label, facts_);
  name->setProperty("look", "caption");
  auto* value = new QLabel(facts_);
  value->setWordWrap(true);
  value->setTextFormat(Qt::PlainText);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  grid->addWidget(name, row, 0, Qt::AlignTop);
  grid->addWidget(value, row, 1);
  return value;
}

void FilePanel::showFacts() {
  delete facts_->layout();
  qDeleteAll(facts_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  if (!entry_) return;
  auto* grid = new QGridLayout(facts_);
  grid->setContentsMargins(0, 4, 0, 8);
  grid->setVerticalSpacing(4);
  grid->setHorizontalSpacing(12);
  for (const auto& [label, words] : entry_->facts) addFact(grid, label)->setText(words);
  if (entry_->kind == LibraryEntry::Kind::kRecording) {
    auto* models = addFact(grid, tr("Used in"));
    models->setObjectName(QStringLiteral("usedIn"));
    models->setTextFormat(Qt::RichText);
    models->setTextInteractionFlags(Qt::TextBrowserInteraction);
    QStringList links;
    for (const auto& path : std::as_const(used_in_))
      links << QStringLiteral("<a href=\"%1\">%2</a>")
                   .arg(path.toHtmlEscaped(), QFileInfo(path).fileName().toHtmlEscaped());
    models->setText(links.isEmpty() ? tr("no model of this folder")
                                    : links.join(QStringLiteral("<br>")));
    connect(models, &QLabel::linkActivated, this, &FilePanel::chosen, Qt::QueuedConnection);
  }
  grid->setColumnStretch(1, 1);
}

void FilePanel::showCheck() {
  const bool running = entry_ && checking_.contains(entry_->path);
  check_->setText(running ? tr("Cancel check") : tr("Check file"));
  const auto report = entry_ && !running ? checked(entry_->path) : std::nullopt;
  check_words_->setProperty("look", !report ? "caption" : report->whole() ? "good" : "bad");
  check_words_->style()->unpolish(check_words_);
  check_words_->style()->polish(check_words_);
  check_words_->setText(running ? tr("Checking…") : report ? checkWords(*report) : QString());
}

std::optional<SessionReport> FilePanel::checked(const QString& path) const {
  const auto known = checked_.constFind(path);
  if (known == checked_.constEnd() || known->modified != QFileInfo(path).lastModified())
    return std::nullopt;
  return known->report;
}

void FilePanel::check() {
  if (!entry_) return;
  const auto path = entry_->path;
  if (checking_.contains(path)) {
    state_.jobs().cancel(checking_.value(path));
    return;
  }
  const auto modified = QFileInfo(path).lastModified();
  checking_.insert(
      path,
      state_.jobs().run<SessionReport>(
          tr("Check %1").arg(entry_->name), Lane::kWork, this,
          [path](const Job& job) { return session_info(path.toStdString(), job); },
          [this, path, modified](Result<SessionReport> report) {
            checking_.remove(path);
            if (report)
              checked_.insert(path, {modified, std::move(*report)});
            else if (report.error().code == ErrorCode::kCancelled)
              state_.notifications().status(
                  tr("Cancelled: %1 was not checked to its end.").arg(QFileInfo(path).fileName()));
            else
              state_.notifications().notify({Message::Level::kBad, text(report.error().message),
                                             tr("Nothing in the file was changed."),
                                             tr("Restore a copy of the file, or choose another."),
                                             path});
            showCheck();
            emit checkFinished(path);
          }));
  showCheck();
}

void FilePanel::askUnpack() {
  if (!entry_) return;
  const QFileInfo session(entry_->path);
  askWhereToSave(this,
                 {tr("Unpack into a new folder"),
                  session.absolutePath() + QLatin1Char('/') + session.completeBaseName(),
                  tr("New folder (*)"),
                  {}},
                 [this, path = entry_->path](const QString& folder) { unpack(path, folder); });
}

void FilePanel::unpack(const QString& session, const QString& folder) {
  state_.jobs().run<Warnings>(
      tr("Unpack %1").arg(QFileInfo(session).fileName()), Lane::kWork, this,
      [session, folder](const Job& job) {
        return unpack_session(session.toStdString(), folder.toStdString(), job);
      },
      [this, folder](Result<Warnings> warnings) {
        if (!warnings && warnings.error().code == ErrorCode::kCancelled) {
          state_.notifications().status(tr("Cancelled: no folder was made."));
        } else if (!warnings) {
          state_.notifications().notify(
              Message::Level::kBad, text(warnings.error().message),
              tr("Nothing half-unpacked was left; the recording is as it was."),
              tr("Choose another place, then unpack again."));
        } else {
          QStringList notes;
          for (const auto& warning : *warnings) notes << text(warning.text);
          state_.notifications().notify(
              notes.isEmpty() ? Message::Level::kInfo : Message::Level::kLook,
              tr("Unpacked into %1").arg(folder),
              notes.isEmpty() ? tr("The folder holds everything that was recorded.")
                              : notes.join(QStringLiteral(" · ")),
              {});
        }
      });
}

void FilePanel::showFolder() {
  if (entry_) QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(entry_->path).path()));
}

}  // namespace tactelier::gui
