#include "app/gui/pages/fit/data_panel.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/state/actions.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/theme/icons.hpp"
#include "app/gui/widgets/elided_label.hpp"

namespace tactelier::gui {

FitDataPanel::FitDataPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(tr("Data"), parent), state_(state) {
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("fitData"));
  list_->setAccessibleName(tr("Recordings of the fit"));
  list_->setToolTip(tr("Checked: the fit uses it. Chosen: presses and plots are of it."));
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setTextElideMode(Qt::ElideMiddle);
  model_ = new ElidedLabel(this);
  model_->setProperty("look", "caption");
  model_->setContentsMargins(6, 4, 6, 4);
  setBodyMargins(0);
  body()->addWidget(list_, 1);
  body()->addWidget(model_);
  auto* add = new QToolButton(this);
  add->setProperty("look", "small");
  setThemedIcon(add, QStringLiteral("plus"));
  add->setAccessibleName(tr("Add a recording"));
  add->setToolTip(actions.open->toolTip());
  connect(add, &QToolButton::clicked, actions.open, &QAction::trigger);
  addTool(add);
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    const auto all = state_.recordings().all();
    const auto row = static_cast<std::size_t>(list_->row(item));
    if (row >= all.size()) return;
    if (item->checkState() == Qt::Unchecked) return state_.fit().choice().setUsed(all[row], false);
    const QPointer<RecordingDocument> chosen(all[row]);
    // Later: the question runs an event loop, and the list may change under this signal.
    QMetaObject::invokeMethod(
        this,
        [this, chosen] {
          if (chosen && !state_.fit().choice().uses(chosen)) state_.fit().join(chosen);
          showChoice();
        },
        Qt::QueuedConnection);
  });
  connect(&state_.fit().choice(), &FitChoice::changed, this, &FitDataPanel::showChoice);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    const auto all = state_.recordings().all();
    if (row >= 0 && static_cast<std::size_t>(row) < all.size())
      state_.selection().setRecording(all[static_cast<std::size_t>(row)]);
  });
  connect(&state_.recordings(), &Recordings::listChanged, this, &FitDataPanel::fill);
  connect(&state_.selection(), &Selection::recordingChanged, this, &FitDataPanel::showCurrent);
  connect(&state_.modelDocument(), &ModelDocument::changed, this, &FitDataPanel::showModel);
  fill();
  showModel();
}

void FitDataPanel::fill() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const auto* document : state_.recordings().all()) {
    const auto count = static_cast<int>(document->presses().size());
    auto* item = new QListWidgetItem(
        tr("%1 · %n presses", nullptr, count).arg(document->recording()->name()), list_);
    item->setCheckState(state_.fit().choice().uses(document) ? Qt::Checked : Qt::Unchecked);
  }
  showCurrent();
}

void FitDataPanel::showChoice() {
  const QSignalBlocker quiet(list_);
  const auto all = state_.recordings().all();
  for (int row = 0; row < list_->count() && row < static_cast<int>(all.size()); ++row)
    list_->item(row)->setCheckState(state_.fit().choice().uses(all[static_cast<std::size_t>(row)])
                                        ? Qt::Checked
                                        : Qt::Unchecked);
}

void FitDataPanel::showCurrent() {
  const QSignalBlocker quiet(list_);
  const auto all = state_.recordings().all();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == state_.recording()) list_->setCurrentRow(static_cast<int>(i));
}

void FitDataPanel::showModel() {
  const auto file = QFileInfo(state_.modelDocument().file()).fileName();
  model_->setVisible(state_.model() != nullptr);
  model_->setText(file.isEmpty() ? tr("model of this fit, not saved") : tr("model: %1").arg(file));
}

}  // namespace tactelier::gui
