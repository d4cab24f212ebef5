#pragma once
// The truth of a simulated pad, where it lies beside the recordings that the open model was fitted
// to: NAME.truth.json for NAME.tact, as `tactelier synth` and the window's virtual bench write it.

#include <QObject>
#include <memory>
#include <optional>

#include "libcalib/model_file/sensor_model.hpp"
#include "reports/fit_results.hpp"

namespace tactelier::gui {

class AppState;

class KnownTruth : public QObject {
  Q_OBJECT
 public:
  /// `state` outlives it.
  explicit KnownTruth(AppState& state, QObject* parent = nullptr);
  /// nullptr: of a real pad, or of several pads.
  const std::shared_ptr<const SensorModel>& model() const { return truth_; }
  /// Beside a recording.
  static QString fileOf(const QString& recording);

 signals:
  void changed();

 private:
  void look();
  QStringList candidates() const;

  AppState& state_;
  QStringList asked_;
  std::shared_ptr<const SensorModel> truth_;
};

/// What a fitted number should be; of a mean over tactels the mean over those that were fitted.
/// Empty where the truth has none.
std::optional<double> trueValue(const SensorModel& truth, const SensorModel& fitted,
                                const ResultRow& row);

}  // namespace tactelier::gui
