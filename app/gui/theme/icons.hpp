#pragma once
// Line icons, one SVG per name in app/gui/icons, painted in a colour of the theme.

#include <QColor>
#include <QIcon>
#include <QPixmap>

#include "app/gui/theme/theme.hpp"

class QAbstractButton;
class QAction;

namespace tactelier::gui {

/// The drawing `name` at `size` logical pixels, `currentColor` replaced.
QPixmap iconPixmap(const QString& name, int size, const QColor& color);
/// Normal in `token`, disabled and checked in the theme's colours for these.
QIcon icon(const QString& name, Token token = Token::kText);
constexpr int kButtonIcon = 16;  // at 100 % text
/// Sets the icon now and again whenever the theme changes. A button's grows with the text.
void setThemedIcon(QAbstractButton* button, const QString& name, Token token = Token::kText,
                   int size = kButtonIcon);
void setThemedIcon(QAction* action, const QString& name, Token token = Token::kText);

}  // namespace tactelier::gui
