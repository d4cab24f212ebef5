#pragma once
// The pages in the order of the rail.

#include <QString>
#include <functional>
#include <vector>

#include "app/gui/widgets/page.hpp"

namespace tactelier::gui {

struct PageInfo {
  QString id;
  QString title;
  QString icon;  // "" for a page that is not on the rail
  QString tip;
  QString manual;  // the page of docs/ that F1 opens
  std::function<Page*(const PageContext&, QWidget* parent)> create;  // called on first show
};

std::vector<PageInfo> pages();

}  // namespace tactelier::gui
