#pragma once
// A rig process that does what the test says: a real Unix socket that speaks JSON lines, in the
// test's own thread, so that nothing depends on time.

#include <QObject>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/gui/state/rig_connection.hpp"
#include "devices/acquisition/live_frame.hpp"
#include "devices/server/rig_messages.hpp"

namespace tactelier::gui::test {

class FakeRig : public QObject {
  Q_OBJECT
 public:
  /// `sensor`: by its shipped name, or an object as a device file may hold one.
  explicit FakeRig(const std::string& sensor = "\"weiss-wts0614\"");
  ~FakeRig() override;

  /// Three connections, and what the files of this rig say.
  RigConnection connect();
  const RigPlace& place() const { return place_; }

  /// What status answers; requests change it as the rig process would.
  rig::messages::Status status;
  /// All requests but status and watch, in order of their coming.
  std::vector<nlohmann::json> requests;
  bool asked(const char* what) const;
  /// Refuses to acknowledge; "": doesn't.
  std::string acknowledge_error;
  /// What frames say of the force sensor's x and y, not tared.
  std::array<double, 2> across_N{};
  /// Of the stage, in what frames say.
  std::array<double, 2> at_m{0.0085, -0.0017};
  const nlohmann::json& last() const { return requests.back(); }
  /// Doesn't read what comes on the first connection.
  void setDeaf(bool deaf);
  /// The same of the third.
  void setDeafToStop(bool deaf);
  /// What lies unread in the third connection, without any event loop; signs of life left out.
  std::string unreadStop() const;

  bool watched() const { return live_ != nullptr; }
  /// What is added to x, y of tactel 5 of a sensor with three channels, whose x, y rest at 30000.
  std::array<float, 2> shear{};
  /// Every tactel reads something else in each frame: all of the map is drawn anew.
  bool noisy = false;
  /// Tactel 37 reads 1000 counts per newton over 224 at rest.
  void frame(double force_N, double z_m);
  void progress(const char* what, double done, double total, const char* detail,
                const char* step = "", double left_s = -1);
  void press(int number, int tactel, rig::messages::PressOutcome outcome);
  void question(const char* text, const char* answer_key);
  /// A recording that grows has begun its last steps.
  void wanting(double end_s);
  void done(const nlohmann::json& result);
  void failed(ErrorCode code, const char* text);
  /// A limit acts.
  void trip(const char* text, rig::LimitKind kind = rig::LimitKind::kPadForce);
  /// The process dies.
  void die();

 private:
  struct Client {
    devices::Descriptor socket;
    std::unique_ptr<QSocketNotifier> notifier;
    std::string pending;
    int task = 0;
  };
  void accept();
  void read(Client& client);
  nlohmann::json answer(Client& client, const nlohmann::json& request);
  void news(const rig::messages::News& what);
  static void send(const Client& client, const std::string& bytes);

  QTemporaryDir folder_;
  std::filesystem::path socket_;
  RigPlace place_;
  devices::Descriptor listening_;
  std::unique_ptr<QSocketNotifier> notifier_;
  std::vector<std::unique_ptr<Client>> clients_;
  Client* live_ = nullptr;
  std::size_t tactels_ = 84, channels_ = 1;
  int tasks_ = 0;
  rig::LiveFrame frame_;
};

}  // namespace tactelier::gui::test
