#pragma once
// "Counts | Newtons" of a tactile image: newtons where the open model fits the array that is shown,
// else off with the reason in its tip. Forces as `tactelier apply` gives them, on the model's zero.

#include <memory>

#include "app/gui/widgets/segmented.hpp"
#include "app/gui/widgets/tactile_map_view.hpp"
#include "app/workflow/array_newtons.hpp"

namespace tactelier::gui {

class NewtonSwitch : public Segmented {
  Q_OBJECT
 public:
  explicit NewtonSwitch(QWidget* parent = nullptr);
  /// Whose readings are shown; `serial` "" where nobody says.
  void setReadings(const SensorDescription& sensor, const std::string& serial);
  /// nullptr: none is open.
  void setModel(std::shared_ptr<const SensorModel> model);

  /// Newtons are chosen, and there are some.
  bool newtons() const { return newtons_ && current() == 1; }
  /// Readings by tactel to newtons, NaN where there are none; marks of tactels that are saturated,
  /// below their threshold or not calibrated are set. Only while newtons().
  void convert(std::vector<double>& readings, std::vector<TactelMark>& marks) const;
  /// "newtons of 83 of 84 tactels, on the model's zero"
  QString words() const;
  /// Bar from 0 to `high_N`, numbers with as many decimals as that asks for.
  static void scale(TactileMapView& map, double high_N);

 signals:
  /// What is shown has to be shown anew.
  void changed();

 private:
  void renew();

  SensorDescription sensor_;
  std::string serial_;
  std::shared_ptr<const SensorModel> model_;
  std::unique_ptr<ArrayNewtons> newtons_;
};

}  // namespace tactelier::gui
