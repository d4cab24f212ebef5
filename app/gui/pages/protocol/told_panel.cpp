#include "app/gui/pages/protocol/told_panel.hpp"

#include <QHeaderView>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/parameter_words.hpp"
#include "app/gui/theme/theme.hpp"
#include "reports/planned_table.hpp"

namespace tactelier::gui {
namespace {

enum Column { kMark, kParameter, kWords, kAdd, kColumns };

/// Refused parameters that lack the same are one row.
struct Row {
  QStringList names;
  QString words, tip, protocol;
  bool told = false, look = false;
};

std::vector<Row> rowsOf(const PlannedRecording& planned) {
  std::vector<Row> rows;
  for (const auto& one : planned.parameters) {
    const auto name = parameterWords(one.path).name;
    Row row;
    row.told = one.promised();
    row.look = !one.may_fail.empty();
    row.words = text(planned_words(one));
    if (row.told && one.of > 1)
      row.words += ToldPanel::tr(" · %1 of %2 tactels").arg(one.determined).arg(one.of);
    if (row.told && !one.limit.empty())
      row.tip = ToldPanel::tr("Mostly from: %1").arg(text(one.limit));
    if (row.look) row.tip = text(one.may_fail);
    row.protocol = text(helping_protocol(one));
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& before) {
      return !row.told && !before.told && before.words == row.words &&
             before.protocol == row.protocol;
    });
    if (same != rows.end()) {
      if (!same->names.contains(name)) same->names << name;
      continue;
    }
    row.names << name;
    rows.push_back(std::move(row));
  }
  std::stable_partition(rows.begin(), rows.end(), [](const Row& row) { return row.told; });
  return rows;
}

}  // namespace

ToldPanel::ToldPanel(ProtocolDraft& draft, QWidget* parent)
    : Panel(tr("What it will and will not identify"), parent), draft_(draft) {
  setBodyMargins(0);
  table_ = new QTableWidget(0, kColumns, this);
  table_->setObjectName(QStringLiteral("toldTable"));
  table_->setAccessibleName(tr("What the protocol identifies"));
  table_->setHorizontalHeaderLabels(
      {QString(), tr("Parameter"), tr("Half of a 95 % interval, or why not"), QString()});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setSectionResizeMode(kWords, QHeaderView::Stretch);
  const auto size = [this] {
    table_->setColumnWidth(kMark, theme().px(28));
    table_->setColumnWidth(kParameter, theme().px(168));
    table_->setColumnWidth(kAdd, theme().px(92));
    table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
  };
  size();
  connect(&theme(), &Theme::changed, this, [this, size] {
    size();
    refresh();
  });
  body()->addWidget(table_, 1);
  connect(&draft_, &ProtocolDraft::replanned, this, &ToldPanel::refresh);
}

void ToldPanel::refresh() {
  if (draft_.pending()) return setCaption(tr("working it out…"));
  const auto& planned = draft_.planned();
  const auto rows = planned != nullptr ? rowsOf(*planned) : std::vector<Row>{};
  table_->setRowCount(static_cast<int>(rows.size()));
  int told = 0;
  for (int at = 0; at < table_->rowCount(); ++at) {
    const auto& row = rows[static_cast<std::size_t>(at)];
    told += row.told ? 1 : 0;
    const auto put = [&](int column, const QString& words) {
      auto* item = new QTableWidgetItem(words);
      item->setToolTip(row.tip.isEmpty() ? words : words + QLatin1Char('\n') + row.tip);
      table_->setItem(at, column, item);
      return item;
    };
    auto* mark = put(kMark, row.look   ? QStringLiteral("▲")
                            : row.told ? QStringLiteral("●")
                                       : QStringLiteral("○"));
    mark->setForeground(theme().color(row.look   ? Token::kWarn
                                      : row.told ? Token::kOk
                                                 : Token::kText2));
    mark->setTextAlignment(Qt::AlignCenter);
    put(kParameter, row.names.join(QStringLiteral(", ")));
    put(kWords, row.words);
    table_->removeCellWidget(at, kAdd);
    put(kAdd, {});
    if (row.protocol.isEmpty()) continue;
    auto* add = new QToolButton(table_);
    add->setProperty("look", "small");
    add->setText(tr("Add %1").arg(row.protocol));
    add->setObjectName(QStringLiteral("add_") + row.protocol);
    add->setAccessibleName(tr("Add %1 for %2").arg(row.protocol, row.names.join(tr(", "))));
    add->setToolTip(protocolWords(row.protocol.toStdString()));
    connect(add, &QToolButton::clicked, this,
            [this, protocol = row.protocol] { emit addWanted(protocol); });
    table_->setCellWidget(at, kAdd, add);
  }
  setCaption(planned == nullptr ? QString() : tr("%n numbers", nullptr, told));
}

}  // namespace tactelier::gui
