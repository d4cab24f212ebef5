#include "app/gui/state/preferences.hpp"

#include <QSettings>

namespace tactelier::gui {
namespace {

constexpr auto kTheme = "theme";
constexpr auto kScale = "scale";
constexpr auto kLargeBanner = "large_banner";
constexpr auto kWelcome = "welcome_at_start";
constexpr auto kSounds = "sounds";
constexpr auto kOperator = "operator";
constexpr auto kDeviceFile = "device_file";
constexpr auto kRigFile = "rig_file";
constexpr const char* kAll[] = {kTheme,  kScale,    kLargeBanner, kWelcome,
                                kSounds, kOperator, kDeviceFile,  kRigFile};

struct ThemeName {
  Theme::Choice choice;
  const char* name;
};
constexpr ThemeName kThemes[] = {{Theme::Choice::kSystem, "system"},
                                 {Theme::Choice::kLight, "light"},
                                 {Theme::Choice::kDark, "dark"}};

}  // namespace

Preferences::Preferences(QSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings) {}

void Preferences::set(const char* key, const QVariant& value) {
  if (this->value(key) == value) return;
  settings_.setValue(QLatin1String(key), value);
  emit changed();
}

QVariant Preferences::value(const char* key) const { return settings_.value(QLatin1String(key)); }

void Preferences::apply() const {
  const auto wanted = value(kTheme).toString();
  auto choice = Theme::Choice::kSystem;
  for (const auto& [known, name] : kThemes)
    if (wanted == QLatin1String(name)) choice = known;
  theme().setScale(value(kScale).isValid() ? value(kScale).toDouble() : theme().usualScale());
  theme().choose(choice);
}

void Preferences::setTheme(Theme::Choice choice) {
  for (const auto& [known, name] : kThemes)
    if (known == choice) set(kTheme, QString::fromLatin1(name));
  theme().choose(choice);
}

void Preferences::setScale(double scale) {
  theme().setScale(scale);
  set(kScale, theme().scale());
}

bool Preferences::largeBanner() const { return value(kLargeBanner).toBool(); }
void Preferences::setLargeBanner(bool on) { set(kLargeBanner, on); }

bool Preferences::welcomeAtStart() const {
  return settings_.value(QLatin1String(kWelcome), true).toBool();
}
void Preferences::setWelcomeAtStart(bool on) { set(kWelcome, on); }

bool Preferences::sounds() const { return value(kSounds).toBool(); }
void Preferences::setSounds(bool on) { set(kSounds, on); }

QString Preferences::operatorName() const { return value(kOperator).toString(); }
void Preferences::setOperatorName(const QString& name) { set(kOperator, name.trimmed()); }

QString Preferences::deviceFile() const { return value(kDeviceFile).toString(); }
void Preferences::setDeviceFile(const QString& path) { set(kDeviceFile, path.trimmed()); }

QString Preferences::rigFile() const { return value(kRigFile).toString(); }
void Preferences::setRigFile(const QString& path) { set(kRigFile, path.trimmed()); }

QVariantMap Preferences::own() const {
  QVariantMap all;
  for (const auto* key : kAll)
    if (value(key).isValid()) all.insert(QLatin1String(key), value(key));
  return all;
}

void Preferences::setAll(const QVariantMap& own) {
  for (const auto* key : kAll) {
    const auto name = QLatin1String(key);
    if (own.contains(name))
      settings_.setValue(name, own.value(name));
    else
      settings_.remove(name);
  }
  apply();
  emit changed();
}

}  // namespace tactelier::gui
