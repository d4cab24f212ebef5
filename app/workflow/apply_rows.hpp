#pragma once
// A recording's raw readings as newtons, row by row: what `apply` writes as a table, and what
// Python gets as arrays.

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "app/workflow/apply_model.hpp"
#include "app/workflow/contact_centre.hpp"

namespace tactelier {

/// What every row has besides its tactels.
struct AppliedColumns {
  std::size_t tactels = 0;
  bool total = false, centre = false;  // whether the model knows them
  std::uint64_t rows = 0;              // that the recording has; damaged ones don't come
};

struct AppliedRow {
  double time_s = 0;
  std::vector<AppliedReading> tactels;
  AppliedReading total;                        // of the whole array
  std::optional<ContactCentre::Found> centre;  // empty: nothing presses
};

/// Whoever takes the rows; an error ends it.
struct AppliedListener {
  std::function<Result<void>(const AppliedColumns&)> begin;
  std::function<Result<void>(const AppliedRow&)> row;
};

/// `input` as in apply_model(); `model_name` stands in messages. Fails when the sensor of model and
/// recording differ, before anything is told.
Result<ApplyReport> apply_rows(const SensorModel& model, std::string_view model_name,
                               const std::filesystem::path& input, const AppliedListener& listener,
                               const Job& job);

}  // namespace tactelier
