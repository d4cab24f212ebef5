#include "app/gui/theme/theme.hpp"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>
#include <algorithm>
#include <array>
#include <cmath>

namespace tactelier::gui {
namespace {

struct Pair {
  QRgb light;
  QRgb dark;
};

// In the order of Token.
constexpr std::array<Pair, static_cast<std::size_t>(Token::kCount)> kColors{{
    {0xFFF3F4F6, 0xFF15191E},  // window
    {0xFFFFFFFF, 0xFF1C2127},  // surface
    {0xFFF8F9FA, 0xFF181D22},  // sunken
    {0xFFE9ECF0, 0xFF272E37},  // alt
    {0xFFE3E8EF, 0xFF303945},  // hover
    {0xFFCDD3DB, 0xFF39424E},  // border
    {0xFF7C8796, 0xFF7D8999},  // control
    {0xFF1A212B, 0xFFE8EBEF},  // text
    {0xFF4B5666, 0xFFAEB7C3},  // text2
    {0xFF868F9C, 0xFF727D8B},  // disabled
    {0xFF0B5FB3, 0xFF79B8FF},  // accent
    {0xFFFFFFFF, 0xFF0B1520},  // accentText
    {0xFFDCE9F8, 0xFF1D3550},  // accentSoft
    {0xFF1A7340, 0xFF63C98A},  // ok
    {0xFF8A5A00, 0xFFF0B849},  // warn
    {0xFFB3261E, 0xFFFF8A80},  // bad
    {0xFFDDF1E4, 0xFF17352A},  // okSoft
    {0xFFFBEBC8, 0xFF3B2F12},  // warnSoft
    {0xFFFBE1DF, 0xFF44201F},  // badSoft
    {0xFFC1121F, 0xFFD11F2C},  // stop
    {0xFFFFFFFF, 0xFF181D22},  // plot
    {0xFFE4E7EC, 0xFF2B323B},  // grid
    {0xFF5A6574, 0xFF95A0AE},  // axis
    {0xFFA3ABB7, 0xFF5B6675},  // history
    {0xFF0072B2, 0xFF56B4E9},  // line 1
    {0xFFD55E00, 0xFFE69F00},  // line 2
    {0xFF009E73, 0xFF009E73},  // line 3
    {0xFFCC79A7, 0xFFCC79A7},  // line 4
    {0xFFD55E00, 0xFFE69F00},  // mark
}};

struct TypeSize {
  double px;
  bool bold;
};

TypeSize typeSize(Type type) {
  switch (type) {
    case Type::kTick:
      return {11, false};
    case Type::kCaption:
      return {12, false};
    case Type::kText:
    case Type::kMono:
      return {13, false};
    case Type::kBold:
      return {13, true};
    case Type::kLead:
      return {15, true};
    case Type::kTitle:
      return {18, true};
    case Type::kForce:
      return {26, true};
    case Type::kMode:
      return {36, true};
  }
  return {13, false};
}

constexpr double kUsualPoints = 10;

QPalette palette(const Theme& theme) {
  const auto color = [&](Token token) { return theme.color(token); };
  QPalette palette;
  palette.setColor(QPalette::Window, color(Token::kWindow));
  palette.setColor(QPalette::WindowText, color(Token::kText));
  palette.setColor(QPalette::Base, color(Token::kSurface));
  palette.setColor(QPalette::AlternateBase, color(Token::kAlt));
  palette.setColor(QPalette::Text, color(Token::kText));
  palette.setColor(QPalette::PlaceholderText, color(Token::kText2));
  palette.setColor(QPalette::Button, color(Token::kSurface));
  palette.setColor(QPalette::ButtonText, color(Token::kText));
  palette.setColor(QPalette::BrightText, color(Token::kBad));
  palette.setColor(QPalette::Highlight, color(Token::kAccentSoft));
  palette.setColor(QPalette::HighlightedText, color(Token::kText));
  palette.setColor(QPalette::Link, color(Token::kAccent));
  palette.setColor(QPalette::LinkVisited, color(Token::kAccent));
  palette.setColor(QPalette::ToolTipBase, color(Token::kSurface));
  palette.setColor(QPalette::ToolTipText, color(Token::kText));
  palette.setColor(QPalette::Light, color(Token::kSurface));
  palette.setColor(QPalette::Midlight, color(Token::kAlt));
  palette.setColor(QPalette::Mid, color(Token::kBorder));
  palette.setColor(QPalette::Dark, color(Token::kControl));
  palette.setColor(QPalette::Shadow, color(Token::kControl));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, color(Token::kDisabled));
  return palette;
}

}  // namespace

Theme::Theme() {
  const auto families = QFontDatabase::families();
  base_ = QApplication::font();
  base_.setFamily(families.contains(QStringLiteral("Noto Sans")) ? QStringLiteral("Noto Sans")
                                                                 : QStringLiteral("DejaVu Sans"));
  // 10 pt, the usual application font, is 100 % (docs/desktop-app.md 2); all sizes follow the
  // user's.
  if (base_.pointSizeF() > 0)
    usual_scale_ = std::clamp(base_.pointSizeF() / kUsualPoints, 0.8, 2.0);
  scale_ = usual_scale_;
  system_dark_ = QApplication::palette().color(QPalette::Window).lightness() < 128;
  dark_ = system_dark_;
}

void Theme::choose(Choice choice) {
  choice_ = choice;
  dark_ = choice == Choice::kDark || (choice == Choice::kSystem && system_dark_);
  apply();
}

void Theme::setScale(double scale) {
  scale_ = std::clamp(scale, 0.8, 2.0);
  apply();
}

QColor Theme::color(Token token) const {
  const auto& pair = kColors[static_cast<std::size_t>(token)];
  return QColor::fromRgb(dark_ ? pair.dark : pair.light);
}

QFont Theme::font(Type type) const {
  QFont font = base_;
  const auto size = typeSize(type);
  if (type == Type::kMono) font.setFamily(QStringLiteral("DejaVu Sans Mono"));
  font.setPixelSize(std::max(6, px(type == Type::kMono ? 12 : size.px)));
  font.setBold(size.bold);
  return font;
}

int Theme::px(double length) const { return static_cast<int>(std::lround(length * scale_)); }

void Theme::install() {
  installed_ = true;
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  apply();
}

void Theme::apply() {
  if (!installed_) return;
  QApplication::setFont(font(Type::kText));
  QApplication::setPalette(palette(*this));
  qApp->setStyleSheet(styleSheet(*this));
  emit changed();
}

Theme& theme() {
  // Lives as long as the application object, never longer: it holds fonts.
  static Theme* the_theme = nullptr;
  if (the_theme == nullptr) {
    the_theme = new Theme;
    the_theme->setParent(qApp);
    QObject::connect(the_theme, &QObject::destroyed, [] { the_theme = nullptr; });
  }
  return *the_theme;
}

}  // namespace tactelier::gui
