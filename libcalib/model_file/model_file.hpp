#pragma once
// Sensor model files: reading, writing, checking, and finding a parameter by its path.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/model_file/sensor_model.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// JSON text of version 2, indented; always validates against
/// data/schemas/sensor-model.schema.json.
std::string to_json(const SensorModel& model);

/// Reads versions 1 and 2. Fails with kInvalidInput naming the place ("model.json:
/// response.tactels[3].gain: ...") on broken JSON, a newer version, a number that the schema
/// forbids, a unit other than the schema's. What the file leaves out is not identified, reason
/// "NOT-FITTED ...".
Result<SensorModel> parse_model(std::string_view json_text, std::string_view where);
Result<SensorModel> read_model(const std::filesystem::path& file);

/// Writes beside and renames, so that nothing half-written carries the name.
Result<void> write_model(const SensorModel& model, const std::filesystem::path& file);

/// What docs/theory/conventions.md 3 asks of every model file: CV-02, CV-03, CV-04, CV-05.
Warnings check_model(const SensorModel& model);

/// Calls `f` for every parameter with its path, "response.tactels[3].press_gain", and the stage
/// that estimates it, in file order.
void for_each_parameter(
    const SensorModel& model,
    const std::function<void(const std::string& path, const Parameter& parameter,
                             std::string_view stage)>& f);
void for_each_parameter(SensorModel& model,
                        const std::function<void(const std::string& path, Parameter& parameter,
                                                 std::string_view stage)>& f);

/// What assume() takes: the sensor's own numbers, then every parameter, in file order.
std::vector<std::string> assumable_paths(const SensorModel& model);

/// What stands at one of these paths now, or an error with "did you mean". A number of the sensor
/// comes as a parameter assumed by "user" or "sensor description".
Result<Parameter> assumable(const SensorModel& model, std::string_view path);

/// The parameter at a path, or an error with "did you mean".
Result<Parameter*> find_parameter(SensorModel& model, std::string_view path);

/// `assignment` is "PATH=VALUE" in SI units, "friction.mu_s=0.4". Sets value and status assumed;
/// std, ci95 and u_total are dropped. The sensor's own numbers go as "sensor.thickness_m=0.003"
/// (max_force_N, max_pressure_Pa, rate_hz too). Every assumption is kept in
/// provenance.options["assume"]. Fails with kUsage.
Result<void> assume(SensorModel& model, std::string_view assignment, std::string_view from);

/// Whether a number of the sensor description ("sensor.thickness_m") was assumed like that.
bool is_assumed(const SensorModel& model, std::string_view sensor_path);

}  // namespace tactelier
