#include "app/gui/pages/station/today_panel.hpp"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>
#include <climits>
#include <map>

#include "app/gui/pages/station/verdict_words.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/widgets/delegates.hpp"

namespace tactelier::gui {
namespace {

enum Column { kTime, kSerial, kVerdict, kWhy, kColumns };
constexpr int kLookRole = Qt::UserRole;

QString localTime(const std::string& utc) {
  const auto time = QDateTime::fromString(text(utc), Qt::ISODate);
  return time.isValid() ? time.toLocalTime().toString(QStringLiteral("HH:mm")) : QString();
}

}  // namespace

TodayPanel::TodayPanel(QWidget* parent) : Panel(tr("Today"), parent) {
  setBodyMargins(0);
  counts_ = new QLabel(this);
  counts_->setObjectName(QStringLiteral("todayCounts"));
  addTool(counts_);
  table_ = new QTableWidget(0, kColumns, this);
  table_->setObjectName(QStringLiteral("todayTable"));
  table_->setAccessibleName(tr("Sensors of today"));
  table_->setHorizontalHeaderLabels({tr("Time"), tr("Serial"), tr("Verdict"), tr("Why")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setItemDelegateForColumn(kVerdict, new ChipDelegate(kLookRole, table_));
  body()->addWidget(table_, 1);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int row) {
    if (row >= 0) emit chosen(labels_[labels_.size() - 1 - static_cast<std::size_t>(row)]);
  });
  connect(&theme(), &Theme::changed, this, &TodayPanel::size);
  size();
  showCounts();
}

void TodayPanel::size() {
  const int widths[] = {54, 110, 120};
  for (int column = 0; column < kWhy; ++column)
    table_->setColumnWidth(column, theme().px(widths[column]));
  table_->verticalHeader()->setDefaultSectionSize(theme().px(26));
}

void TodayPanel::set(std::vector<StationLabel> labels) {
  labels_ = std::move(labels);
  table_->setRowCount(0);
  for (const auto& label : labels_) insert(label);
  showCounts();
}

void TodayPanel::add(const StationLabel& label) {
  labels_.push_back(label);
  insert(label);
  table_->setCurrentCell(0, kSerial);
  showCounts();
}

void TodayPanel::insert(const StationLabel& label) {
  const auto look = verdictLook(label);
  table_->insertRow(0);
  const auto put = [&](int column, const QString& words) {
    auto* item = new QTableWidgetItem(words);
    item->setToolTip(words);
    table_->setItem(0, column, item);
    return item;
  };
  put(kTime, localTime(label.judged));
  put(kSerial, text(label.serial));
  put(kVerdict, look.glyph + QChar(' ') + look.word)->setData(kLookRole, look.chip);
  put(kWhy, text(label.why));
}

void TodayPanel::showCounts() {
  std::map<std::pair<int, QString>, int> counts;  // good ones first
  for (const auto& label : labels_) {
    const auto look = verdictLook(label);
    ++counts[{look.chip == 0 ? INT_MAX : look.chip, look.glyph + QChar(' ') + look.word.toLower()}];
  }
  QStringList words{tr("%n sensors", nullptr, count())};
  for (const auto& [verdict, count] : counts)
    words << QStringLiteral("%1 %2").arg(verdict.second).arg(count);
  counts_->setText(words.join(QStringLiteral(" · ")));
}

}  // namespace tactelier::gui
