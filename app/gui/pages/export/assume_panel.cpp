#include "app/gui/pages/export/assume_panel.hpp"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStringListModel>
#include <QStyle>
#include <QTableView>

#include "app/gui/pages/export/export_draft.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/icons.hpp"
#include "libcalib/model_file/model_file.hpp"

namespace tactelier::gui {
namespace {

constexpr int kRowsShown = 3;

}  // namespace

AssumePanel::AssumePanel(ExportDraft& draft, QWidget* parent)
    : Panel(tr("Assume"), parent), draft_(draft), model_(new AssumptionModel(this)) {
  setCaption(tr("what the data do not give; the file says who assumed it"));
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  path_ = new QComboBox(this);
  path_->setObjectName(QStringLiteral("assumePath"));
  path_->setEditable(true);
  path_->setInsertPolicy(QComboBox::NoInsert);
  path_->setAccessibleName(tr("Parameter to assume"));
  path_->setToolTip(tr("Path of the parameter, as the loss report names it.\n--assume PATH=VALUE"));
  path_->lineEdit()->setPlaceholderText(tr("parameter"));
  path_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  path_->completer()->setFilterMode(Qt::MatchContains);
  path_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  value_ = new QLineEdit(this);
  value_->setObjectName(QStringLiteral("assumeValue"));
  value_->setAccessibleName(tr("Value to assume, with unit"));
  apply_ = new QPushButton(tr("Assume"), this);
  apply_->setObjectName(QStringLiteral("assumeApply"));
  apply_->setToolTip(tr("Takes the value into every format. The model file stays as it is."));
  setThemedIcon(apply_, QStringLiteral("check"));
  row->addWidget(path_, 3);
  row->addWidget(value_, 2);
  row->addWidget(apply_);
  body()->addLayout(row);
  problem_ = new QLabel(this);
  problem_->setObjectName(QStringLiteral("assumeProblem"));
  problem_->setProperty("look", "bad");
  problem_->setWordWrap(true);
  body()->addWidget(problem_);
  table_ = new QTableView(this);
  table_->setObjectName(QStringLiteral("assumptionTable"));
  table_->setAccessibleName(tr("Assumed values"));
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  body()->addWidget(table_);
  take_back_ = new QPushButton(tr("Remove assumption"), this);
  take_back_->setObjectName(QStringLiteral("assumeTakeBack"));
  take_back_->setToolTip(tr("Forgets the chosen assumption (Delete)."));
  body()->addWidget(take_back_, 0, Qt::AlignLeft);
  auto* remove = new QShortcut(QKeySequence(Qt::Key_Delete), table_);
  remove->setContext(Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this, &AssumePanel::takeBack);
  connect(take_back_, &QPushButton::clicked, this, &AssumePanel::takeBack);
  connect(apply_, &QPushButton::clicked, this, &AssumePanel::apply);
  connect(value_, &QLineEdit::returnPressed, this, &AssumePanel::apply);
  connect(path_, &QComboBox::editTextChanged, this, &AssumePanel::showUnit);
  connect(&draft_, &ExportDraft::changed, this, &AssumePanel::follow);
  connect(&theme(), &Theme::changed, this, &AssumePanel::follow);
  follow();
}

void AssumePanel::follow() {
  const auto* model = draft_.model().get();
  model_->set(draft_.assumptions(), model);
  const bool any = model_->rowCount() > 0;
  table_->setVisible(any);
  take_back_->setVisible(any);
  if (any) {
    const int widths[] = {140, 70, 150};
    for (int i = 0; i < 3; ++i) table_->setColumnWidth(i + 1, theme().px(widths[i]));
    table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
    table_->setFixedHeight(theme().px(28 + 26 * std::min(model_->rowCount(), kRowsShown)));
    if (!table_->currentIndex().isValid()) table_->selectRow(model_->rowCount() - 1);
  }
  say(draft_.problem());
}

void AssumePanel::setMissing(const QStringList& paths) {
  const auto typed = path_->currentText();
  QStringList offered;
  for (int i = 0; i < path_->count(); ++i) offered << path_->itemText(i);
  if (offered != paths) {
    path_->clear();
    path_->addItems(paths);
    path_->setEditText(paths.contains(typed) || paths.isEmpty() ? typed : paths.front());
  }
  all_paths_.clear();
  if (const auto* model = draft_.model().get())
    for (const auto& path : assumable_paths(*model)) all_paths_ << text(path);
  auto* completer = path_->completer();
  if (auto* list = qobject_cast<QStringListModel*>(completer->model()))
    list->setStringList(all_paths_);
  else
    completer->setModel(new QStringListModel(all_paths_, completer));
  showUnit();
}

void AssumePanel::propose(const QString& path) {
  path_->setEditText(path);
  value_->clear();
}

void AssumePanel::showUnit() {
  const auto* model = draft_.model().get();
  const auto path = path_->currentText().trimmed().toStdString();
  const auto now = model == nullptr ? Result<Parameter>(fail(ErrorCode::kUsage, "no model"))
                                    : assumable(*model, path);
  const auto unit = now ? unitWords(now->unit) : QString();
  value_->setPlaceholderText(!now             ? QString()
                             : unit.isEmpty() ? tr("a number")
                                              : tr("a number in %1").arg(unit));
  value_->setToolTip(now ? tr("Value to assume. %1Another unit of the same quantity is converted.")
                               .arg(unit.isEmpty() ? QString() : tr("In %1. ").arg(unit))
                         : tr("Choose a parameter first."));
}

void AssumePanel::apply() {
  const auto path = path_->currentText().trimmed();
  const auto done = draft_.assume(path.toStdString(), value_->text());
  if (!done) {
    say(text(done.error().message));
    return;
  }
  value_->clear();
  say({});
}

void AssumePanel::takeBack() {
  const auto index = table_->currentIndex();
  if (index.isValid())
    draft_.takeBack(index.data(AssumptionModel::kPathRole).toString().toStdString());
}

void AssumePanel::say(const QString& problem) {
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  value_->setProperty("wrong", !problem.isEmpty());
  value_->style()->unpolish(value_);
  value_->style()->polish(value_);
}

}  // namespace tactelier::gui
