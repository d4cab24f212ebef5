#include "app/gui/widgets/empty_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/gui/widgets/action_button.hpp"
#include "app/gui/widgets/panel.hpp"

namespace tactelier::gui {

Panel* emptyPanel(const QString& title, const QString& words, const QString& name,
                  const std::vector<EmptyOffer>& offers, QWidget* parent) {
  auto* box = new Panel(title, parent);
  auto* label = new QLabel(words, box);
  label->setObjectName(name);
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignCenter);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addStretch(1);
  for (const auto& offer : offers)
    row->addWidget(new ActionButton(offer.action, offer.icon, &offer == &offers.front(), box));
  row->addStretch(1);
  box->body()->addStretch(2);
  box->body()->addWidget(label);
  box->body()->addSpacing(8);
  box->body()->addLayout(row);
  box->body()->addStretch(3);
  return box;
}

}  // namespace tactelier::gui
