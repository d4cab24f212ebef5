#include "app/gui/pages/import/import_columns.hpp"

#include <QComboBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <cmath>

#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "libcalib/import/guess/map_roles.hpp"
#include "libcalib/import/map_target.hpp"

namespace tactelier::gui {
namespace {

/// A list to pick from that takes other words as well ("aux NAME", "tactel 12").
class PickDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&,
                        const QModelIndex& index) const override {
    auto* box = new QComboBox(parent);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setObjectName(QStringLiteral("importPick"));
    box->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    for (const auto& choice : choices(index)) box->addItem(text(choice));
    connect(box, &QComboBox::activated, this, [this, box] {
      auto* self = const_cast<PickDelegate*>(this);  // the signals of a delegate are not const
      emit self->commitData(box);
      emit self->closeEditor(box);
    });
    return box;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    auto* box = qobject_cast<QComboBox*>(editor);
    const auto now = index.data().toString();
    box->setCurrentIndex(box->findText(now));
    box->setEditText(now);
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model,
                    const QModelIndex& index) const override {
    const auto picked = qobject_cast<QComboBox*>(editor)->currentText().trimmed();
    if (picked != index.data().toString()) model->setData(index, picked);
  }

 private:
  static std::vector<std::string> choices(const QModelIndex& index) {
    const auto cell = [&](int column) {
      return index.siblingAtColumn(column).data().toString().toStdString();
    };
    return index.column() == ImportColumns::kUnit ? units_of_target(cell(ImportColumns::kTarget))
                                                  : targets_for(cell(ImportColumns::kName));
  }
};

QString firstWords(const std::vector<double>& values) {
  QStringList words;
  for (const double value : values)
    words << (std::isfinite(value) ? QString::number(value, 'g', 6) : QStringLiteral("–"));
  return words.join(QStringLiteral("  "));
}

}  // namespace

ImportColumns::ImportColumns(QWidget* parent) : QTableWidget(0, kWhy + 1, parent) {
  setObjectName(QStringLiteral("importColumns"));
  setAccessibleName(tr("Columns of the table"));
  setHorizontalHeaderLabels({tr("Column"), tr("Is"), tr("Unit"), tr("First rows"), tr("Because")});
  setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(theme().px(26));
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setStretchLastSection(true);
  auto* pick = new PickDelegate(this);
  setItemDelegateForColumn(kTarget, pick);
  setItemDelegateForColumn(kUnit, pick);
  const auto edit = [this](int row, int column) {
    if (column == kTarget || column == kUnit) editItem(item(row, column));
  };
  connect(this, &QTableWidget::cellClicked, this, edit);
  connect(this, &QTableWidget::cellActivated, this, edit);  // Enter
  connect(this, &QTableWidget::itemChanged, this, &ImportColumns::tellPicked);
}

void ImportColumns::show(const GuessedMap& guessed, const std::string& map_text) {
  const QSignalBlocker quiet(this);
  setRowCount(static_cast<int>(guessed.columns.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const auto& column = guessed.columns[static_cast<std::size_t>(row)];
    const auto role =
        role_in(map_text, column.name).value_or(ColumnRole{column.target, column.unit});
    const bool as_guessed = role.target == column.target && role.unit == column.unit;
    const QString cells[] = {text(column.name), text(role.target), text(role.unit),
                             firstWords(column.first),
                             as_guessed ? text(column.why) : tr("the map says so")};
    for (int i = 0; i <= kWhy; ++i) {
      auto* cell = new QTableWidgetItem(cells[i]);
      const bool pickable = i == kTarget || i == kUnit;
      cell->setToolTip(pickable ? tr("Click, or press Enter, to pick another.") : cells[i]);
      cell->setFlags(pickable ? cell->flags() | Qt::ItemIsEditable
                              : cell->flags() & ~Qt::ItemIsEditable);
      if (role.target == "ignore") cell->setForeground(theme().color(Token::kText2));
      setItem(row, i, cell);
    }
  }
  const int widths[] = {110, 110, 54, 190};
  for (int i = 0; i < kWhy; ++i) setColumnWidth(i, theme().px(widths[i]));
}

void ImportColumns::tellPicked(QTableWidgetItem* changed) {
  const auto cell = [&](int column) { return item(changed->row(), column)->text(); };
  emit picked(cell(kName), cell(kTarget), cell(kUnit));
}

}  // namespace tactelier::gui
