#pragma once
// Colours and type of the desktop app: the one place with literal colours (docs/desktop-app.md 2).
// Widgets ask theme() and repaint or restyle on Theme::changed.

#include <QColor>
#include <QFont>
#include <QObject>

namespace tactelier::gui {

enum class Token {
  kWindow,
  kSurface,
  kSunken,
  kAlt,
  kHover,
  kBorder,
  kControl,
  kText,
  kText2,
  kDisabled,
  kAccent,
  kAccentText,
  kAccentSoft,
  kOk,
  kWarn,
  kBad,
  kOkSoft,
  kWarnSoft,
  kBadSoft,
  kStop,
  kPlot,
  kGrid,
  kAxis,
  kHistory,  // earlier data in plots: context only
  kLine1,    // force, data of loading
  kLine2,    // tactel, unloading
  kLine3,    // depth, contact
  kLine4,    // alternatives
  kMark,     // frame around the tactel chosen in a map
  kCount,
};

/// Sizes in pixels at 100 %, as factors of the application font (13 px).
enum class Type {
  kTick,
  kCaption,
  kText,
  kBold,
  kLead,
  kTitle,
  kForce,
  kMode,
  kMono,
};

class Theme : public QObject {
  Q_OBJECT
 public:
  enum class Choice { kSystem, kLight, kDark };

  Theme();
  Choice choice() const { return choice_; }
  bool dark() const { return dark_; }
  /// kSystem reads the lightness of the platform's window colour at start.
  void choose(Choice choice);
  void toggle() { choose(dark_ ? Choice::kLight : Choice::kDark); }

  QColor color(Token token) const;
  QFont font(Type type) const;
  /// A length of the 100 % design in pixels at the user's scale.
  int px(double length) const;
  /// 0.8 .. 2.0 of the application font.
  double scale() const { return scale_; }
  /// Of the desktop's own font at start.
  double usualScale() const { return usual_scale_; }
  void setScale(double scale);
  /// Puts palette, fonts and style sheet on the application. Called once at start; changes follow.
  void install();

 signals:
  void changed();

 private:
  void apply();

  Choice choice_ = Choice::kSystem;
  bool dark_ = false;
  bool system_dark_ = false;
  bool installed_ = false;
  double scale_ = 1.0;
  double usual_scale_ = 1.0;
  QFont base_;
};

/// The application's theme.
Theme& theme();

/// The style sheet for panels, notices, buttons and segmented controls.
QString styleSheet(const Theme& theme);

}  // namespace tactelier::gui
