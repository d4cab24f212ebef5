#include "app/gui/pages/fit/result_panel.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "app/gui/item_models/result_model.hpp"
#include "app/gui/pages/fit/fit_source.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/known_truth.hpp"
#include "app/gui/state/other_model.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/delegates.hpp"
#include "app/gui/widgets/segmented.hpp"
#include "fitting/engine/facts.hpp"

namespace tactelier::gui {

ResultPanel::ResultPanel(AppState& state, QWidget* parent)
    : Panel(tr("Results"), parent), state_(state), model_(new ResultModel(this)) {
  tree_ = new QTreeView(this);
  tree_->setObjectName(QStringLiteral("resultTree"));
  tree_->setAccessibleName(tr("Results: parameter, value, status"));
  tree_->setModel(model_);
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(0);
  tree_->setUniformRowHeights(true);
  tree_->setItemsExpandable(false);
  tree_->setSelectionBehavior(QAbstractItemView::SelectRows);
  tree_->setItemDelegateForColumn(ResultModel::kParameter, new GroupDelegate(tree_));
  tree_->setItemDelegateForColumn(ResultModel::kValue, new ValueDelegate(tree_));
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->header()->setStretchLastSection(true);
  tree_->header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  details_ = new QLabel(this);
  details_->setObjectName(QStringLiteral("resultDetails"));
  details_->setWordWrap(true);
  details_->setTextFormat(Qt::RichText);
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  details_->setMargin(10);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(details_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  details_->setAutoFillBackground(false);  // the panel shows through
  scroll->viewport()->setAutoFillBackground(false);
  setBodyMargins(0);
  body()->setSpacing(0);
  body()->addWidget(tree_, 1);
  body()->addWidget(scroll);
  buildAdvice();
  scope_ = new Segmented(tr("Results of"), {tr("Array"), tr("Tactel")}, this);
  scope_->setObjectName(QStringLiteral("resultScope"));
  auto* copy = new QToolButton(this);
  copy->setProperty("look", "small");
  setThemedIcon(copy, QStringLiteral("copy"));
  copy->setAccessibleName(tr("Copy the results"));
  copy->setToolTip(tr("Copies the table, cells apart by tabs."));
  buildBeside();
  addTool(scope_);
  addTool(copy);
  const auto size = [this, scroll] {
    tree_->header()->resizeSection(ResultModel::kParameter, theme().px(118));
    tree_->header()->resizeSection(ResultModel::kValue, theme().px(146));
    scroll->setFixedHeight(theme().px(120));
  };
  size();
  connect(&theme(), &Theme::changed, this, [this, size] {
    size();
    tree_->viewport()->update();
  });
  connect(copy, &QToolButton::clicked, this, [this] {
    QApplication::clipboard()->setText(model_->asText());
    state_.notifications().status(tr("Copied the results."));
  });
  connect(scope_, &Segmented::chosen, this, &ResultPanel::refresh);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &ResultPanel::showDetails);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &ResultPanel::refresh);
  connect(&state_.jobs(), &Jobs::changed, this, [this] {
    if (state_.model() == nullptr) showDetails();
  });
  connect(&state_.fit(), &FitRunner::started, this, &ResultPanel::refresh);
  connect(&state_.fit(), &FitRunner::finished, this, &ResultPanel::refresh);
  connect(&state_.selection(), &Selection::tactelChosen, this, [this] {
    nameTactel();
    if (scope_->current() == 1) refresh();
  });
  nameTactel();
  refresh();
}

void ResultPanel::nameTactel() {
  const auto tactel = state_.selection().tactel();
  scope_->setChoiceText(1, tactel ? tr("Tactel %1").arg(*tactel) : tr("Tactel"));
  scope_->setChoiceEnabled(1, tactel.has_value(),
                           tactel ? QString() : tr("Choose a tactel in the map."));
  if (!tactel && scope_->current() == 1) {
    scope_->setCurrent(0);
    refresh();
  }
}

void ResultPanel::refresh() {
  const auto& model = state_.model();
  const auto tactel = state_.selection().tactel();
  filling_ = true;
  if (model == nullptr)
    model_->setGroups({});
  else if (scope_->current() == 1 && tactel)
    model_->setGroups(tactel_results(*model, *tactel));
  else
    model_->setGroups(array_results(*model));
  showTruth();
  showOther();
  model_->setDimmed(state_.modelDocument().outdated());
  tree_->expandAll();
  for (int i = 0; i < model_->rowCount(); ++i) tree_->setFirstColumnSpanned(i, {}, true);
  const auto again = model_->indexOf(chosen_);
  // Without a choice the first number that is missing: it says what to record.
  const auto first = again.isValid() ? again : model_->firstMissing();
  if (first.isValid()) tree_->setCurrentIndex(first);
  setCaption(!state_.modelDocument().outdated() ? QString()
             : state_.fit().running()           ? tr("refitting")
                                                : tr("edited since"));
  showDetails();
  filling_ = false;
}

void ResultPanel::buildAdvice() {
  advice_ = new QWidget(this);
  auto* row = new QHBoxLayout(advice_);
  row->setContentsMargins(10, 0, 10, 8);
  row->setSpacing(8);
  const auto button = [&](const char* name) {
    auto* made = new QToolButton(advice_);
    made->setObjectName(QLatin1String(name));
    made->setProperty("look", "small");
    row->addWidget(made);
    return made;
  };
  add_ = button("addProtocol");
  record_ = button("recordProtocol");
  row->addStretch(1);
  body()->addWidget(advice_);
  connect(add_, &QToolButton::clicked, this, [this] { emit protocolWanted(protocol_); });
  connect(record_, &QToolButton::clicked, this, [this] { emit recordingWanted(protocol_); });
}

QToolButton* ResultPanel::besideButton(const char* name, const QString& words) {
  auto* made = new QToolButton(this);
  made->setObjectName(QLatin1String(name));
  made->setProperty("look", "segment");
  made->setProperty("edge", "only");
  made->setText(words);
  made->setCheckable(true);
  addTool(made);
  return made;
}

/// Truth or another model: one of them takes the status's place.
void ResultPanel::buildBeside() {
  truth_ = new KnownTruth(state_, this);
  truth_shown_ = besideButton("resultTruth", tr("Truth"));
  truth_shown_->setToolTip(
      tr("What the simulated pad was made with, in the place of the status: ✓ inside ± U, ▲ "
         "outside."));
  other_ = new OtherModel(state_, this);
  other_shown_ = besideButton("resultOther", tr("Other"));
  connect(truth_shown_, &QToolButton::toggled, this, [this](bool shown) {
    if (shown) other_shown_->setChecked(false);
    refresh();
  });
  connect(other_shown_, &QToolButton::toggled, this, [this](bool shown) {
    if (shown) truth_shown_->setChecked(false);
    refresh();
  });
  connect(truth_, &KnownTruth::changed, this, &ResultPanel::refresh);
  connect(other_, &OtherModel::changed, this, &ResultPanel::refresh);
}

void ResultPanel::compareWith(const QString& model_file) {
  other_->open(model_file);
  other_shown_->setChecked(true);
}

void ResultPanel::showOther() {
  const auto* compared = other_->compared();
  other_shown_->setVisible(compared != nullptr);
  if (compared == nullptr || !other_shown_->isChecked()) return model_->setBeside({}, {});
  QStringList lines{tr("What %1 says, in the place of the status: ✓ within both uncertainties "
                       "together, ▲ beyond.")
                        .arg(compared->name)};
  for (const auto& warning : compared->diff.warnings) lines << text(warning.text);
  other_shown_->setToolTip(lines.join(QLatin1Char('\n')));
  model_->setBeside(tr("In %1").arg(compared->name), resultsBeside(model_->groups(), *compared));
}

void ResultPanel::showTruth() {
  const auto& truth = truth_->model();
  truth_shown_->setVisible(truth != nullptr);
  std::map<std::string, double> values;
  if (truth != nullptr && state_.model() != nullptr && truth_shown_->isChecked())
    for (const auto& group : model_->groups())
      for (const auto& row : group.rows)
        if (const auto value = trueValue(*truth, *state_.model(), row)) values[row.path] = *value;
  model_->setTruth(std::move(values));
}

void ResultPanel::showDetails() {
  const auto* row = model_->row(tree_->currentIndex());
  if (row != nullptr && !filling_) chosen_ = QString::fromStdString(row->path);
  auto told = row != nullptr           ? resultDetails(*row)
              : model_->rowCount() > 0 ? tr("Choose a number to see where it comes from.")
                                       : nothingFitted(state_);
  if (const auto* other = row != nullptr ? model_->beside(*row) : nullptr)
    told += QStringLiteral("<br>") +
            other->tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral(". "));
  details_->setText(told);
  protocol_.clear();
  if (row != nullptr && !row->parameter.usable())
    protocol_ = text(advice_for(row->parameter.reason, row->path).protocol);
  advice_->setVisible(!protocol_.isEmpty());
  add_->setText(tr("Add %1 to a protocol").arg(protocol_));
  record_->setText(tr("Record %1 now").arg(protocol_));
  const auto words = protocolWords(protocol_.toStdString());
  add_->setToolTip(tr("Goes to the Protocol page: its steps are added there.\n%1").arg(words));
  record_->setToolTip(
      tr("Goes to the Session page with it chosen. Nothing moves before it is armed.\n%1")
          .arg(words));
}

}  // namespace tactelier::gui
