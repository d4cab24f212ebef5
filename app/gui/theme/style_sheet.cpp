#include <QString>

#include "app/gui/theme/theme.hpp"

namespace tactelier::gui {
namespace {

// @name stands for a colour token, #px(n) for a scaled length. Widgets pick a look by the dynamic
// property "look": panel, panelHead, notice, primary, flat, segment, card, rail, caption ...
constexpr auto kSheet = R"(
QToolTip { background: @surface; color: @text; border: 1px solid @control; padding: 4px; }
QMenuBar { background: @window; border: none; }
QMenuBar::item { padding: 5px 10px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @surface; border: 1px solid @control; padding: 4px 0; }
QMenu::item { padding: 5px 24px 5px 28px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @border; margin: 4px 0; }
QStatusBar { background: @window; border-top: 1px solid @border; color: @text2; }
QStatusBar::item { border: none; }
QFrame[look="panel"] { background: @surface; border: 1px solid @border; border-radius: 4px; }
QFrame[look="panelHead"] { background: transparent; border: none; border-bottom: 1px solid @border; }
QFrame[look="safety"] { background: @surface; border: none; border-bottom: 1px solid @border; }
QFrame[look="rail"] { background: @window; border: none; border-right: 1px solid @border; }
QFrame[look="notice"] { background: @warnSoft; border: none; border-left: 4px solid @warn; }
QFrame[look="noticeBad"] { background: @badSoft; border: none; border-left: 4px solid @bad; }
QFrame[look="noticeOk"] { background: @okSoft; border: none; border-left: 4px solid @ok; }
QFrame[look="noticeInfo"] { background: @accentSoft; border: none; border-left: 4px solid @accent; }
QLabel[look="caption"] { color: @text2; }
QLabel[look="good"] { color: @ok; }
QLabel[look="look"] { color: @warn; }
QLabel[look="bad"] { color: @bad; }
QPushButton, QToolButton[look="control"] { background: @surface; color: @text;
  border: 1px solid @control; border-radius: 4px; padding: 0 12px; min-height: #px(26)px; }
QPushButton:hover, QToolButton[look="control"]:hover { background: @hover; }
QPushButton:pressed, QToolButton[look="control"]:pressed { background: @alt; }
QPushButton:focus, QToolButton[look="control"]:focus { border: 2px solid @accent; padding: 0 11px;
  min-height: #px(24)px; }
QPushButton:disabled, QToolButton[look="control"]:disabled { color: @disabled; background: @alt;
  border-color: @border; }
QPushButton::menu-indicator { image: url(:/tactelier/icons/chevron-@shade.svg);
  width: #px(12)px; height: #px(12)px; subcontrol-position: right center; right: 5px; }
QPushButton[look="primary"] { background: @accent; color: @accentText; border-color: @accent;
  font-weight: bold; }
QPushButton[look="primary"]:hover { border-color: @text; }
QPushButton[look="primary"]:focus { border: 2px solid @text; }
QPushButton[look="primary"]:disabled { background: @alt; color: @disabled; border-color: @border; }
QPushButton[look="large"] { background: @accent; color: @accentText; border-color: @accent;
  font-weight: bold; min-height: #px(34)px; }
QPushButton[look="large"]:disabled { background: @alt; color: @disabled; border-color: @border; }
QPushButton[look="listRow"] { background: transparent; border: none; border-radius: 0;
  border-bottom: 1px solid @alt; min-height: #px(52)px; padding: 0; }
QPushButton[look="listRow"]:hover { background: @hover; }
QPushButton[look="listRow"]:focus { border: 2px solid @accent; }
QToolButton[look="small"] { background: @surface; color: @text; border: 1px solid @control;
  border-radius: 4px; padding: 0 9px; min-height: #px(22)px; }
QToolButton[look="small"]:hover { background: @hover; }
QToolButton[look="small"]:focus { border: 2px solid @accent; padding: 0 8px;
  min-height: #px(20)px; }
QToolButton[look="small"]:disabled { color: @disabled; border-color: @border; }
QToolButton[look="flat"] { background: transparent; border: 1px solid transparent;
  border-radius: 4px; padding: 2px; color: @text; }
QToolButton[look="flat"]:hover { background: @hover; }
QToolButton[look="flat"]:focus { border: 2px solid @accent; }
QToolButton[look="segment"] { background: @surface; color: @text; border: 1px solid @control;
  border-right-width: 0; padding: 0 9px; min-height: #px(22)px; }
QToolButton[look="segment"][edge="first"] { border-top-left-radius: 4px;
  border-bottom-left-radius: 4px; }
QToolButton[look="segment"][edge="last"] { border-right-width: 1px; border-top-right-radius: 4px;
  border-bottom-right-radius: 4px; }
QToolButton[look="segment"][edge="only"] { border-right-width: 1px; border-radius: 4px; }
QToolButton[look="segment"]:hover { background: @hover; }
QToolButton[look="segment"]:checked { background: @accent; color: @accentText; font-weight: bold; }
QToolButton[look="segment"]:disabled:!checked { color: @disabled; background: @alt; }
QToolButton[look="segment"]:focus { border: 2px solid @text; padding: 0 8px;
  min-height: #px(20)px; }
QToolButton[look="railItem"] { background: transparent; border: none;
  border-left: 3px solid transparent; color: @text2; padding: 4px 3px 4px 0; }
QToolButton[look="railItem"]:hover { background: @hover; }
QToolButton[look="railItem"]:checked { background: @accentSoft; border-left-color: @accent;
  color: @text; font-weight: bold; }
QToolButton[look="railItem"]:focus { border: 2px solid @accent; padding: 2px 1px 2px 1px; }
QCommandLinkButton { text-align: left; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextBrowser { background: @surface;
  color: @text; border: 1px solid @control; border-radius: 4px; padding: 0 8px;
  min-height: #px(26)px; selection-background-color: @accent;
  selection-color: @accentText; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus {
  border: 2px solid @accent; padding: 0 7px; min-height: #px(24)px; }
QPlainTextEdit[look="plain"] { border: none; padding: 0 4px; }
QPlainTextEdit[look="plain"]:focus { border: 2px solid @accent; padding: 0 2px; }
QLineEdit[wrong="true"] { border: 2px solid @bad; }
QComboBox:disabled, QLineEdit:disabled { color: @disabled; border-color: @border; }
QComboBox::drop-down { border: none; width: #px(22)px; }
QComboBox::down-arrow { image: url(:/tactelier/icons/chevron-@shade.svg); width: #px(14)px;
  height: #px(14)px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; border: none;
  width: #px(20)px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right;
  border: none; width: #px(20)px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {
  image: url(:/tactelier/icons/chevron-up-@shade.svg); width: #px(12)px; height: #px(12)px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {
  image: url(:/tactelier/icons/chevron-@shade.svg); width: #px(12)px; height: #px(12)px; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @control; }
QAbstractItemView { background: @surface; border: none; outline: none; color: @text;
  alternate-background-color: @surface; selection-background-color: @accentSoft;
  selection-color: @text; gridline-color: @border; }
QTableView::item, QTreeView::item, QListView::item { border: none;
  border-bottom: 1px solid @alt; padding: 0 6px; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected {
  background: @accentSoft; color: @text; }
QCheckBox::indicator, QAbstractItemView::indicator { width: #px(14)px; height: #px(14)px;
  background: @surface; border: 1px solid @control; border-radius: 3px; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent;
  border-color: @accent; image: url(:/tactelier/icons/checked-@shade.svg); }
QCheckBox::indicator:focus { border: 2px solid @text; }
QHeaderView { background: @sunken; border: none; }
QHeaderView::section { background: @sunken; color: @text2; border: none;
  border-bottom: 1px solid @border; padding: 0 6px; font-weight: bold; min-height: #px(26)px; }
QScrollBar:vertical { background: @surface; width: 12px; margin: 0; }
QScrollBar:horizontal { background: @surface; height: 12px; margin: 0; }
QScrollBar::handle { background: @control; border-radius: 4px; margin: 2px; min-height: 24px;
  min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
QProgressBar { background: @alt; border: none; border-radius: 2px; max-height: #px(8)px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QSlider:horizontal { min-height: 24px; }
QSlider::groove:horizontal { background: @alt; height: 6px; border-radius: 3px; }
QSlider::sub-page:horizontal { background: @accent; border-radius: 3px; }
QSlider::handle:horizontal { background: @surface; border: 2px solid @accent; width: 14px;
  margin: -6px 0; border-radius: 9px; }
QSlider::handle:horizontal:focus { border: 3px solid @text; }
)";

struct Name {
  const char* name;
  Token token;
};

// Longer names first: "@accent" is the beginning of "@accentSoft".
constexpr Name kNames[] = {
    {"@accentSoft", Token::kAccentSoft},
    {"@accentText", Token::kAccentText},
    {"@accent", Token::kAccent},
    {"@warnSoft", Token::kWarnSoft},
    {"@warn", Token::kWarn},
    {"@badSoft", Token::kBadSoft},
    {"@bad", Token::kBad},
    {"@okSoft", Token::kOkSoft},
    {"@ok", Token::kOk},
    {"@window", Token::kWindow},
    {"@surface", Token::kSurface},
    {"@sunken", Token::kSunken},
    {"@alt", Token::kAlt},
    {"@hover", Token::kHover},
    {"@border", Token::kBorder},
    {"@control", Token::kControl},
    {"@text2", Token::kText2},
    {"@text", Token::kText},
    {"@disabled", Token::kDisabled},
    {"@stop", Token::kStop},
};

}  // namespace

QString styleSheet(const Theme& theme) {
  QString sheet = QString::fromLatin1(kSheet);
  sheet.replace(QStringLiteral("@shade"),
                theme.dark() ? QStringLiteral("dark") : QStringLiteral("light"));
  for (const auto& [name, token] : kNames)
    sheet.replace(QString::fromLatin1(name), theme.color(token).name());
  for (qsizetype at; (at = sheet.indexOf(QStringLiteral("#px("))) >= 0;) {
    const auto end = sheet.indexOf(QLatin1Char(')'), at);
    const int length = QStringView(sheet).mid(at + 4, end - at - 4).toInt();
    sheet.replace(at, end - at + 1, QString::number(theme.px(length)));
  }
  return sheet;
}

}  // namespace tactelier::gui
