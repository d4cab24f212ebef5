#pragma once
// Connections of the window to the rig process, in the window's own thread: nothing here waits.

#include <QElapsedTimer>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "devices/acquisition/live_frame.hpp"
#include "devices/link/descriptor.hpp"

namespace tactelier::gui {

/// Lines of JSON, both ways.
class RigWire : public QObject {
  Q_OBJECT
 public:
  RigWire(devices::Descriptor socket, QObject* parent);
  void send(const nlohmann::json& document);

 signals:
  void received(const nlohmann::json& document);
  void closed();

 private:
  void read();
  void flush();

  devices::Descriptor socket_;
  QSocketNotifier readable_, writable_;
  std::string in_, out_;
};

/// Asks to watch, then gives the newest frame of what has come.
class RigLiveWire : public QObject {
  Q_OBJECT
 public:
  RigLiveWire(devices::Descriptor socket, QObject* parent);

 signals:
  void frame(const rig::LiveFrame& frame);

 private:
  void read();

  devices::Descriptor socket_;
  QSocketNotifier readable_;
  std::string answer_;  // until its line has ended
  bool watching_ = false;
  rig::LiveFrameReader reader_;
};

/// A connection that serves STOP and nothing else: the request is written in the call. Once a
/// second it is asked for a sign of life, so that it is known before it is needed.
class StopLine : public QObject {
  Q_OBJECT
 public:
  StopLine(devices::Descriptor socket, QObject* parent);
  /// False when it can't be written.
  bool press();
  /// Of the last answers, to stops and signs of life alike; nothing before the first.
  std::optional<double> p99_ms() const;
  /// How long the last answers took, at most 200, oldest first.
  const std::deque<double>& answers_ms() const { return took_ms_; }
  /// An answer is overdue by a second.
  bool silent() const;

 signals:
  /// How long the rig process took to answer a stop.
  void answered(double latency_ms);

 private:
  struct Asked {
    bool stop = false;
    QElapsedTimer since;
  };
  bool ask(std::string_view line, bool stop);
  void read();

  devices::Descriptor socket_;
  QSocketNotifier readable_;
  QTimer life_;
  std::deque<Asked> asked_;
  std::deque<double> took_ms_;
};

}  // namespace tactelier::gui
