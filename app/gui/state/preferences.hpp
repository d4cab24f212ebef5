#pragma once
// What the user prefers, kept in the settings: the one place of each of these facts. A change is
// applied and kept at once. Limits are not here, nor how devices are reached: those stand in the
// rig's own files.

#include <QObject>
#include <QVariantMap>

#include "app/gui/theme/theme.hpp"

class QSettings;

namespace tactelier::gui {

class Preferences : public QObject {
  Q_OBJECT
 public:
  /// `settings` outlives the preferences.
  explicit Preferences(QSettings& settings, QObject* parent = nullptr);
  /// Puts theme and scale on the application.
  void apply() const;

  void setTheme(Theme::Choice choice);
  /// 0.8 .. 2.0 of the application's font.
  void setScale(double scale);
  bool largeBanner() const;
  void setLargeBanner(bool on);
  bool welcomeAtStart() const;
  void setWelcomeAtStart(bool on);
  /// A sound at STOP, fault and question.
  bool sounds() const;
  void setSounds(bool on);
  /// Who measures: what recordings and station write down.
  QString operatorName() const;
  void setOperatorName(const QString& name);
  /// Of the rig that was connected last; "" before.
  QString deviceFile() const;
  void setDeviceFile(const QString& path);
  QString rigFile() const;
  void setRigFile(const QString& path);

  /// What differs from the defaults.
  QVariantMap own() const;
  /// All as they come, or as own() once said.
  void setAll(const QVariantMap& own);

 signals:
  void changed();

 private:
  void set(const char* key, const QVariant& value);
  QVariant value(const char* key) const;

  QSettings& settings_;
};

}  // namespace tactelier::gui
