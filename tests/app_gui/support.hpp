#pragma once
// Recordings made for the tests, and waiting for the window's work without sleeping.

#include <QSettings>
#include <QTemporaryDir>
#include <memory>

#include "app/gui/frame/main_window.hpp"
#include "app/gui/state/app_state.hpp"
#include "app/gui/state/bench_devices.hpp"
#include "app/gui/state/rig_link.hpp"

namespace tactelier::gui::test {

/// 3 x 4 tactels, three presses of 2 s on tactels 5, 6 and 9: the stage goes down 1 mm and back,
/// first touch 0.2 mm down at 2000 N/m, tactel readings 100 + 500 counts/N, tactel 0 is dead (0),
/// tactel 11 stuck at 511. Force 500 /s, stage and tactile 100 /s. Returns the folder.
QString makeSessionFolder(const QString& parent, const QString& name, const char* serial = "T-1");
/// The same as a .tact.
QString makeRecording(const QString& parent, const QString& name, const char* serial = "T-1");
/// Overwrites some of the file's samples, as a failing disk does.
void damage(const QString& file);
/// Overwrites a bit of one tactel's readings around a time: too little for any view to meet it.
void damageTail(const QString& file, double at_s);
/// As if the machine had died an hour ago, while it was recorded.
void cutOff(const QString& file);
/// The same for the force alone, between two times.
void damageForce(const QString& file, double begin_s, double end_s);

struct Bench;
/// Fitted to makeRecording(): k_punch and gains of three tactels, but no friction and no damping.
SensorModel fittedModel(const Bench& bench);

/// A window with settings and data of its own.
struct Bench {
  Bench();
  ~Bench();
  /// Closes and opens the window again with the same settings.
  void restart();
  /// Runs the event loop until nothing is going on.
  void settle() const;
  /// Closes the window and what is behind it.
  void close();

  QTemporaryDir folder;
  std::unique_ptr<QSettings> settings;
  std::unique_ptr<AppState> state;
  std::unique_ptr<RigLink> rig;
  std::unique_ptr<BenchDevices> devices;
  std::unique_ptr<MainWindow> window;
};

}  // namespace tactelier::gui::test
