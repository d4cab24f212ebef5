#include "app/gui/pages/protocol/template_panel.hpp"

#include <QListWidget>
#include <QVBoxLayout>

#include "app/gui/pages/protocol/protocol_draft.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/text/message.hpp"
#include "app/gui/theme/theme.hpp"
#include "reports/protocol_guide.hpp"

namespace tactelier::gui {
namespace {

constexpr int kName = Qt::UserRole;

}  // namespace

TemplatePanel::TemplatePanel(AppState& state, ProtocolDraft& draft, QWidget* parent)
    : Panel(tr("Templates"), parent), state_(state), draft_(draft) {
  setBodyMargins(0);
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("protocolTemplates"));
  list_->setAccessibleName(tr("Shipped protocols"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setWordWrap(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  for (const auto& name : shipped_protocols()) {
    auto* item = new QListWidgetItem(text(name), list_);
    item->setData(kName, text(name));
  }
  body()->addWidget(list_, 1);
  const auto choose = [this](QListWidgetItem* item) {
    if (item != nullptr) emit wanted(item->data(kName).toString());
  };
  connect(list_, &QListWidget::itemClicked, this, choose);
  connect(list_, &QListWidget::itemActivated, this, choose);
  connect(&draft_, &ProtocolDraft::changedSteps, this, &TemplatePanel::mark);
  connect(&draft_, &ProtocolDraft::rigChanged, this, [this] {
    stale_ = true;
    if (shown_) workOut();
  });
  mark();
}

void TemplatePanel::setShown(bool shown) {
  shown_ = shown;
  if (shown_ && stale_) workOut();
}

void TemplatePanel::workOut() {
  stale_ = false;
  setCaption(draft_.onVirtualBench() ? tr("on the virtual bench") : tr("on this rig"));
  state_.jobs().run<std::vector<ProtocolGuide>>(
      tr("Times of protocols"), Lane::kQuiet, this,
      [sensor = draft_.sensor(), rig = draft_.rig()](const Job&) {
        return Result<std::vector<ProtocolGuide>>(
            protocol_guides(sensor, setup_for(rig, bench_setup())));
      },
      [this](const Result<std::vector<ProtocolGuide>>& guides) {
        if (!guides) return;
        list_->clear();
        for (const auto& guide : *guides) {
          auto* item = new QListWidgetItem(
              QStringLiteral("%1 · %2\n%3").arg(text(guide.name), text(guide.time_words()),
                                               text(guide.headline())),
              list_);
          item->setData(kName, text(guide.name));
          item->setToolTip(text(guide.why_not.empty() ? guide.description : guide.why_not));
        }
        mark();
      });
}

void TemplatePanel::mark() {
  for (int row = 0; row < list_->count(); ++row) {
    auto* item = list_->item(row);
    const bool here = item->data(kName).toString() == draft_.source();
    if (here) list_->setCurrentItem(item);
  }
  if (draft_.isFile()) list_->setCurrentItem(nullptr);
}

}  // namespace tactelier::gui
