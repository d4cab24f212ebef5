#pragma once
// What a page shows while it has nothing to work on: what is missing, and buttons that bring it.

#include <QString>
#include <vector>

class QAction;

namespace tactelier::gui {

class Panel;

struct EmptyOffer {
  QAction* action;
  QString icon;
};

/// `name`: of the words, for tests. The first offer is the page's main one.
Panel* emptyPanel(const QString& title, const QString& words, const QString& name,
                  const std::vector<EmptyOffer>& offers, QWidget* parent);

}  // namespace tactelier::gui
