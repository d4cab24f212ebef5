#pragma once
// How a stage's plot puts several views side by side: a line of words above each, splitters
// between.

#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

namespace tactelier::gui {

inline QLabel* captionLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("look", "caption");
  label->setContentsMargins(6, 2, 6, 2);
  return label;
}

inline QWidget* captioned(QLabel* words, QWidget* view, QWidget* parent) {
  auto* made = new QWidget(parent);
  auto* rows = new QVBoxLayout(made);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(2);
  rows->addWidget(words);
  rows->addWidget(view, 1);
  return made;
}

/// Shared out as `sizes`; nothing in it folds away.
inline QSplitter* splitterOf(Qt::Orientation orientation, const QList<QWidget*>& parts,
                             const QList<int>& sizes, QWidget* parent) {
  auto* made = new QSplitter(orientation, parent);
  made->setChildrenCollapsible(false);
  for (auto* part : parts) made->addWidget(part);
  made->setSizes(sizes);
  return made;
}

}  // namespace tactelier::gui
