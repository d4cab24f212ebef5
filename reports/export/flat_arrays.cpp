#include "reports/export/flat_arrays.hpp"

#include <cmath>

#include "reports/export/export_json.hpp"

namespace tactelier {

bool is_flat_grid(const SensorArray& array) {
  return array.positions_m.empty() && array.normals.empty();
}

Result<void> all_flat_grids(const SensorDescription& sensor, std::string_view target) {
  for (std::size_t i = 0; i < sensor.arrays.size(); ++i)
    if (!is_flat_grid(sensor.arrays[i]))
      return fail(ErrorCode::kInvalidInput,
                  "sensor.arrays[{}]: not a flat grid, and {} knows no other; '--to mujoco' takes "
                  "any layout",
                  i, target);
  return {};
}

void add_one_for_all_losses(const SensorModel& model, std::string_view target,
                            std::vector<Loss>& losses) {
  std::size_t silent = 0;
  for (const auto& tactel : model.response.tactels)
    silent += tactel.status == TactelStatus::kDead || tactel.status == TactelStatus::kStuck ? 1 : 0;
  if (silent > 0)
    losses.push_back({"response.tactels[].status",
                      fmt::format("{} dead or stuck tactels read like the others: {} has one set "
                                  "of numbers for all",
                                  silent, target),
                      false});
}

std::optional<double> middle_saturation_N(const SensorModel& model) {
  std::vector<double> forces_N;
  for (const auto& tactel : model.response.tactels)
    if (tactel.gain.usable() && tactel.offset.usable() && tactel.saturation.usable())
      forces_N.push_back((tactel.threshold.usable() ? *tactel.threshold.value : 0) +
                         *tactel.gain.value *
                             std::abs(*tactel.saturation.value - *tactel.offset.value));
  return middle(std::move(forces_N));
}

}  // namespace tactelier
