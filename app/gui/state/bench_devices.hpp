#pragma once
// The devices that the Bench page shows. While there is a rig they are the rig's, as its process
// tells of them: a device has one reader. Else those of a device file that somebody wants to look
// at, connected here. Slow calls run as jobs; news come by changed(), a few times a second.

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "app/gui/state/mode.hpp"
#include "app/workflow/device_monitor.hpp"
#include "app/workflow/rig_overview.hpp"

namespace tactelier::gui {

class AppState;
class Jobs;
class Notifications;
class RigLink;

class BenchDevices : public QObject {
  Q_OBJECT
 public:
  /// Both outlive the devices.
  BenchDevices(AppState& state, RigLink& rig, QObject* parent = nullptr);
  ~BenchDevices() override;

  /// Starts the emulators, and a rig process for them.
  void startVirtualBench();
  /// Of the one that is started next: times faster than real time.
  void setVirtualSpeed(double speed);
  double virtualSpeed() const { return virtual_speed_; }
  /// Of the one that runs.
  double runningSpeed() const;
  /// "force", "tactile", "stage" of the virtual bench; a kind by its word (fault_kinds()); seconds
  /// of the bench, 0 until ended, or times, as the kind takes them.
  struct FaultWish {
    QString device, device_words, kind;
    double amount = 0;
  };
  void makeFault(const FaultWish& wish);
  /// Emulated devices work again.
  void mendFaults();
  /// Reads a device file and connects to what it names; not beside a rig process.
  void openFile(const QString& file);
  void disconnectAll();
  /// Reads the rig file that limits and geometry are shown of; the virtual bench brings its own.
  void openRig(const QString& file);

  bool connected() const;
  bool busy() const;
  /// The virtual bench of this program.
  bool isVirtual() const;
  /// Of what was connected here; "" when it is the rig's.
  const QString& file() const { return file_; }
  /// "" while none was chosen.
  const QString& rigFile() const { return rig_file_; }
  /// nullptr while none is known.
  const RigFile* rig() const;
  /// Of that rig, for a press at kPress_m_per_s: as `record --limits`, whose presses have the
  /// plan's speed.
  std::vector<rig::LimitRow> limits() const;
  static constexpr double kPress_m_per_s = 1e-3;
  /// Where the virtual bench takes orders; "" when there is none.
  QString control() const;
  const std::vector<DeviceHealth>& health() const { return health_; }
  /// For the safety bar, while there is no rig.
  RigSnapshot snapshot() const;
  /// By "stage", "force", "tactile"; nullptr when the device file has none.
  const DeviceHealth* health(std::string_view role) const;
  /// Age of a device's latest sample.
  std::optional<double> age_s(const DeviceHealth& health) const;

 signals:
  void changed();
  /// Another rig file, or other devices that its limits depend on.
  void rigChanged();

 private:
  struct Connected;
  void run(const QString& name, std::function<Result<Connected>()> connect);
  void take(Connected connected);
  void refused(const Error& error);
  /// What was connected here goes; destroying it takes as long as its threads' timeouts.
  std::shared_ptr<void> giveWay();
  void drop(std::shared_ptr<void> held);
  void followRig();
  void look();
  /// Told to the virtual bench as its operator would (bench_control.hpp).
  void orderBench(const std::string& line, const QString& done);
  StreamState stream(std::string_view role) const;
  const devices::DeviceFile* described() const;

  Jobs& jobs_;
  Notifications& notifications_;
  RigLink& rig_link_;
  QTimer timer_;
  double virtual_speed_ = 1;
  int job_ = 0;
  QString file_;
  std::shared_ptr<DeviceMonitor> monitor_;
  std::vector<DeviceHealth> health_;
  std::shared_ptr<const devices::DeviceFile> described_;  // what the devices were connected by
  QString rig_file_;
  std::shared_ptr<const RigFile> rig_;
};

}  // namespace tactelier::gui
