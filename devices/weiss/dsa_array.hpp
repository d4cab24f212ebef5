#pragma once
// The matrices of a Weiss DSACON32-m controller (DSA 9200, Schunk's SDH hand): asks what there is,
// streams full frames and hands on the cells of one, some or all matrices.
//
// What is set stays set until power is switched off and is set again with each start(); nothing is
// stored in the controller.

#include <optional>
#include <string>

#include "devices/link/connector.hpp"
#include "devices/weiss/dsa_protocol.hpp"
#include "devices/weiss/frame_period.hpp"
#include "devices/weiss/weiss_array.hpp"

namespace tactelier::devices {

struct DsaOptions {
  std::string url;            // "tcp:192.168.1.42:13000", "serial:/dev/ttyUSB0?baud=115200"
  std::vector<int> matrices;  // by the controller's numbers, as they follow; empty: all
  int rate_hz = kDsaFastest_hz;
  bool run_lengths = false;           // shorter frames while little is pressed
  std::optional<int> threshold;       // of the matrices above, counts; left as it is
  std::optional<double> sensitivity;  // of the matrices above, 0 to 1; left as it is
  bool change_settings = true;        // false: the two above are not sent
};

class DsaArray final : public WeissArray {
 public:
  /// Stops what streams, then asks for controller and matrices. A controller that was just switched
  /// on answers after 8 s, so silence takes 12 s to be told. Fails with kTimeout when nothing
  /// answers as a DSA does, with kDeviceFault and the controller's own words when it refuses, with
  /// kInvalidInput on a matrix that isn't there.
  static Result<std::unique_ptr<DsaArray>> open(const DsaOptions& options,
                                                const Connector& connect);

  /// As patient as open(): after a power dip the controller starts again.
  Result<void> start() override;
  Result<void> stop() override;

  const DsaController& controller() const { return controller_; }
  /// All that the controller has.
  const std::vector<DsaMatrix>& matrices() const { return matrices_; }

 private:
  DsaArray(const DsaOptions& options, std::unique_ptr<Link> link);

  Result<Bytes> ask(DsaCommand command, const Bytes& payload);
  Result<void> silence();
  Result<void> look();
  Result<void> choose();
  Result<void> apply_settings();
  bool periodic() const override { return true; }
  std::int64_t lost_in(std::int64_t step_ms) override { return period_.lost_in(step_ms); }
  std::vector<double> counts_of(const std::vector<std::uint16_t>& cells) const override;

  DsaOptions options_;
  DsaController controller_;
  std::vector<DsaMatrix> matrices_;
  std::vector<int> chosen_;
  std::vector<std::size_t> cell_of_count_;
  FramePeriod period_;
};

}  // namespace tactelier::devices
