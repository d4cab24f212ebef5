#pragma once
// How tables of the Compare page look: rows to choose, no grid, as high as the text's scale asks.

class QTableView;

namespace tactelier::gui {

void setUpFigureTable(QTableView* table);

}  // namespace tactelier::gui
