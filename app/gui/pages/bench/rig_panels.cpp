#include "app/gui/pages/bench/rig_panels.hpp"

#include <QDate>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStyle>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/item_models/limit_model.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/text/words.hpp"
#include "app/gui/theme/theme.hpp"
#include "app/gui/widgets/print_dialog.hpp"
#include "libcalib/units.hpp"

namespace tactelier::gui {
namespace {

void setLook(QLabel* label, const char* look) {
  label->setProperty("look", look);
  label->style()->unpolish(label);
  label->style()->polish(label);
}

const char* stopLook(const RigFile& rig) {
  return rig.emergency_stop.value_or(false) ? "good" : "look";
}

}  // namespace

LimitPanel::LimitPanel(QWidget* parent)
    : Panel(tr("Safety limits"), parent), limits_(new LimitModel(this)), stop_(new QLabel(this)) {
  setObjectName(QStringLiteral("limitPanel"));
  stop_->setObjectName(QStringLiteral("emergencyStop"));
  stop_->setWordWrap(true);
  stop_->setContentsMargins(12, 8, 12, 8);
  print_ = new QToolButton(this);
  print_->setObjectName(QStringLiteral("printLimits"));
  print_->setProperty("look", "small");
  print_->setText(tr("Print…"));
  print_->setAccessibleName(tr("Print the safety limits"));
  addTool(print_);
  connect(print_, &QToolButton::clicked, this, &LimitPanel::print);
}

void LimitPanel::setTable(QTableView* table) {
  table->setObjectName(QStringLiteral("limits"));
  table->setModel(limits_);
  table->setColumnWidth(LimitModel::kLimit, theme().px(150));
  table->setColumnWidth(LimitModel::kValue, theme().px(120));
  table->setColumnWidth(LimitModel::kAction, theme().px(160));
  body()->addWidget(stop_);
}

void LimitPanel::show(const RigFile* rig, std::vector<rig::LimitRow> limits, double speed_m_per_s) {
  limits_->setLimits(std::move(limits));
  rig_name_ = rig != nullptr ? text(rig->name) : QString();
  print_->setEnabled(rig != nullptr);
  print_->setToolTip(rig != nullptr
                         ? tr("Limits and emergency stop of this rig, to hang beside it.")
                         : tr("Off: there is no rig file to print the limits of."));
  speed_words_ = rig != nullptr
                     ? tr("worst-case overshoot at %1 mm/s").arg(fixed(m_to_mm(speed_m_per_s), 1))
                     : QString();
  setCaption(speed_words_);
  if (rig == nullptr) {
    stop_->setText(tr("No rig file: limits, emergency stop and geometry are what it says."));
    return setLook(stop_, "caption");
  }
  stop_->setText(tr("Hardware emergency stop: %1. The stop of this program is no emergency stop.")
                     .arg(text(emergency_stop_words(*rig))));
  setLook(stop_, stopLook(*rig));
}

QString LimitPanel::asHtml() const {
  if (rig_name_.isEmpty()) return {};
  QString rows;
  const auto row = [&](const QString& tag, const auto& cell) {
    rows += QStringLiteral("<tr>");
    for (int column = 0; column < LimitModel::kColumns; ++column)
      rows += QStringLiteral("<%1 align=\"left\">%2</%1>").arg(tag, cell(column).toHtmlEscaped());
    rows += QStringLiteral("</tr>");
  };
  row(QStringLiteral("th"), [&](int column) {
    return limits_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  });
  for (int i = 0; i < limits_->rowCount(); ++i)
    row(QStringLiteral("td"),
        [&](int column) { return limits_->index(i, column).data().toString(); });
  return QStringLiteral(
             "<h2>%1</h2><p>%2</p><table border=\"1\" cellspacing=\"0\" cellpadding=\"4\" "
             "width=\"100%\">%3</table><p>%4</p><p>%5</p>")
      .arg(tr("Safety limits of %1").arg(rig_name_.toHtmlEscaped()), speed_words_.toHtmlEscaped(),
           rows, stop_->text().toHtmlEscaped(), QDate::currentDate().toString(Qt::ISODate));
}

void LimitPanel::print() {
  askToPrint(this, tr("Print the safety limits"), 0,
             [html = asHtml()](const std::shared_ptr<QPrinter>& printer) {
               QTextDocument document;
               document.setHtml(html);
               document.print(printer.get());
             });
}

GeometryPanel::GeometryPanel(QWidget* parent)
    : Panel(tr("Geometry"), parent), facts_(new QGridLayout), none_(new QLabel(this)) {
  setObjectName(QStringLiteral("geometry"));
  none_->setText(tr("Choose the rig file of this rig."));
  none_->setProperty("look", "caption");
  none_->setWordWrap(true);
  body()->addWidget(none_);
  facts_->setHorizontalSpacing(16);
  facts_->setVerticalSpacing(6);
  facts_->setColumnStretch(1, 1);
  body()->addLayout(facts_);
  body()->addStretch(1);
}

void GeometryPanel::show(const RigFile* rig) {
  while (auto* item = facts_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  none_->setVisible(rig == nullptr);
  setCaption(rig != nullptr ? text(rig->name) : QString());
  if (rig == nullptr) return;
  int row = 0;
  for (const auto& fact : rig_geometry(*rig)) {
    auto* name = new QLabel(text(fact.what), this);
    name->setProperty("look", "caption");
    auto* words = new QLabel(withTrueMinus(text(fact.words)), this);
    words->setWordWrap(true);
    words->setAccessibleName(text(fact.what));
    facts_->addWidget(name, row, 0, Qt::AlignTop);
    facts_->addWidget(words, row++, 1);
  }
}

}  // namespace tactelier::gui
