#include "app/gui/widgets/folding_columns.hpp"

#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

constexpr double kNarrow = 1280;
constexpr QLatin1String kKey("columns");

}  // namespace

FoldingColumns::FoldingColumns(QWidget* left, QWidget* centre, QWidget* right,
                               const QString& centre_title, const QString& right_title,
                               QWidget* parent)
    : QWidget(parent),
      centre_(centre),
      right_(right),
      centre_title_(centre_title),
      right_title_(right_title) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  split_ = new QSplitter(Qt::Horizontal, this);
  split_->setHandleWidth(12);
  split_->setChildrenCollapsible(false);
  column->addWidget(split_);
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->tabBar()->setAccessibleName(tr("Columns"));
  tabs_->tabBar()->setDrawBase(false);
  tabs_->addTab(centre, centre_title);
  showTabs(false);
  split_->addWidget(left);
  split_->addWidget(tabs_);
  split_->addWidget(right);
  connect(&theme(), &Theme::changed, this, &FoldingColumns::follow);
}

void FoldingColumns::setSizes(const QList<int>& sizes, const QList<int>& stretch) {
  stretch_ = stretch;
  split_->setSizes(sizes);
  for (int i = 0; i < stretch.size(); ++i) split_->setStretchFactor(i, stretch[i]);
  unfolded_ = split_->saveState();
}

void FoldingColumns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Later: widgets must not move to other parents while a new style goes through all of them.
  QMetaObject::invokeMethod(this, &FoldingColumns::follow, Qt::QueuedConnection);
}

void FoldingColumns::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
}

void FoldingColumns::follow() {
  if (isVisible()) fold(window()->width() < theme().px(kNarrow));
}

void FoldingColumns::fold(bool folded) {
  if (folded == folded_) return;
  folded_ = folded;
  auto* focus = focusWidget();
  if (folded) {
    unfolded_ = split_->saveState();
    tabs_->addTab(right_, right_title_);
  } else {
    split_->insertWidget(2, right_);
    for (int i = 0; i < stretch_.size(); ++i) split_->setStretchFactor(i, stretch_[i]);
    split_->restoreState(unfolded_);
    right_->show();
  }
  showTabs(folded);
  emit foldedChanged(folded);
  // In the middle of a resize the layouts around take no notice: the page would stay as wide as
  // three columns.
  QTimer::singleShot(0, this, [this] { updateGeometry(); });
  if (focus != nullptr && focus->isVisible()) focus->setFocus(Qt::OtherFocusReason);
}

/// A tab widget hands the focus to its bar, hidden or not: Tab would end there.
void FoldingColumns::showTabs(bool shown) {
  tabs_->tabBar()->setVisible(shown);
  tabs_->setFocusPolicy(shown ? Qt::TabFocus : Qt::NoFocus);
  tabs_->setFocusProxy(shown ? tabs_->tabBar() : nullptr);
}

void FoldingColumns::showApart(QWidget* part, const QString& title) {
  tabs_->insertTab(1, part, title);
}

void FoldingColumns::takeBack(QWidget* part) {
  if (const int tab = tabs_->indexOf(part); tab >= 0) tabs_->removeTab(tab);
}

void FoldingColumns::showRight() {
  if (folded_) tabs_->setCurrentWidget(right_);
}

void FoldingColumns::saveState(QSettings& settings) const {
  settings.setValue(kKey, folded_ ? unfolded_ : split_->saveState());
}

void FoldingColumns::restoreState(QSettings& settings) {
  const auto state = settings.value(kKey).toByteArray();
  if (state.isEmpty()) return;
  unfolded_ = state;
  if (!folded_) split_->restoreState(state);
}

}  // namespace tactelier::gui
