#include "app/gui/theme/icons.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QSvgRenderer>

// A static library's resources are linked only when asked for; must stand outside any namespace.
static void initResources() { Q_INIT_RESOURCE(icons); }

namespace tactelier::gui {
namespace {

QByteArray drawing(const QString& name, const QColor& color) {
  static const bool ready = (initResources(), true);
  Q_UNUSED(ready);
  QFile file(QStringLiteral(":/tactelier/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return file.readAll().replace("currentColor", color.name().toLatin1());
}

}  // namespace

QPixmap iconPixmap(const QString& name, int size, const QColor& color) {
  const double ratio = qGuiApp->devicePixelRatio();
  const int pixels = qRound(size * ratio);
  QPixmap pixmap(pixels, pixels);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(drawing(name, color));
  Q_ASSERT_X(renderer.isValid(), "iconPixmap", qPrintable(name));
  QPainter painter(&pixmap);
  renderer.render(&painter);
  painter.end();
  pixmap.setDevicePixelRatio(ratio);
  return pixmap;
}

QIcon icon(const QString& name, Token token) {
  QIcon result;
  for (const int size : {kButtonIcon, 22, 24, 32, 48}) {
    result.addPixmap(iconPixmap(name, size, theme().color(token)));
    result.addPixmap(iconPixmap(name, size, theme().color(Token::kDisabled)), QIcon::Disabled);
  }
  return result;
}

void setThemedIcon(QAbstractButton* button, const QString& name, Token token, int size) {
  const auto set = [=] {
    button->setIcon(icon(name, token));
    button->setIconSize({theme().px(size), theme().px(size)});
  };
  set();
  QObject::connect(&theme(), &Theme::changed, button, set);
}

void setThemedIcon(QAction* action, const QString& name, Token token) {
  const auto set = [=] { action->setIcon(icon(name, token)); };
  set();
  QObject::connect(&theme(), &Theme::changed, action, set);
}

}  // namespace tactelier::gui
