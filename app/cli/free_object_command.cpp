// simulate --free

#include <cmath>

#include "app/cli/commands.hpp"
#include "app/workflow/free_object.hpp"
#include "app/workflow/json_values.hpp"
#include "libcalib/forward/image_features.hpp"
#include "libcalib/forward/vector3.hpp"
#include "libcalib/units.hpp"

namespace tactelier::cli {
namespace {

using nlohmann::json;

Result<FreeObjectRequest> request_of(const SimulateArguments& arguments) {
  if (arguments.indenter.empty())
    return fail(ErrorCode::kUsage, "--indenter is missing: say which shape lies there");
  if (!arguments.mass_g)
    return fail(ErrorCode::kUsage, "--mass is missing: say how heavy the body is");
  if (arguments.method_given && arguments.method != "soft-contact")
    return fail(ErrorCode::kUsage, "--free is of method soft-contact, not of {}", arguments.method);
  const auto& object = arguments.object;
  const auto& pose = arguments.pose;
  FreeObjectRequest request;
  request.model = arguments.model;
  request.indenter = arguments.indenter;
  request.pose = {mm_to_m(pose.x_mm), mm_to_m(pose.y_mm), deg_to_rad(pose.rz_deg),
                  deg_to_rad(pose.tilt_x_deg), deg_to_rad(pose.tilt_y_deg)};
  request.mass_kg = g_to_kg(*arguments.mass_g);
  request.height_m = mm_to_m(object.height_mm);
  request.drop_m = mm_to_m(object.drop_mm);
  request.slope_x_rad = deg_to_rad(object.slope_x_deg);
  request.slope_y_rad = deg_to_rad(object.slope_y_deg);
  request.gravity_m_per_s2 = object.gravity_m_s2;
  request.time_s = object.duration_s;
  request.step_s = object.step_ms * 1e-3;
  request.counts = arguments.counts;
  request.course = object.course;
  request.overwrite = arguments.overwrite;
  return request;
}

json in_mm(const Vector3& place_m) {
  return {m_to_mm(place_m[0]), m_to_mm(place_m[1]), m_to_mm(place_m[2])};
}

}  // namespace

int run_free_object(Console& console, const SimulateArguments& arguments) {
  const auto request = request_of(arguments);
  if (!request) return console.fail(request.error());
  const auto outcome = settle_object(*request, console.job());
  if (!outcome) return console.fail(outcome.error());
  if (auto written = write_image(outcome->image, {}, arguments.output); !written)
    return console.fail(written.error());
  const auto& end = outcome->end;
  const auto& speed = end.motion.velocity_m_per_s;
  const double speed_m_per_s = std::sqrt(dot(speed, speed));
  const double along_N = std::hypot(end.friction_N[0], end.friction_N[1]);
  const auto turns_rad = turns_of(end.motion);
  console.print(fmt::format(
      "{}: after {:g} s in steps of {:g} ms {:.6g} N on the sensor of {:.6g} N of weight, {:.4g} N "
      "along it; tip at ({:.6g}, {:.6g}, {:.6g}) mm, {:.3g} mm/s\n",
      arguments.output, end.time_s, request->step_s * 1e3, end.load_N, outcome->weight_N, along_N,
      m_to_mm(end.motion.tip_m[0]), m_to_mm(end.motion.tip_m[1]), m_to_mm(end.motion.tip_m[2]),
      m_to_mm(speed_m_per_s)));
  return console.finish(
      {{"image", arguments.output},
       {"unit", outcome->image.unit},
       {"time_s", end.time_s},
       {"step_s", request->step_s},
       {"weight_N", outcome->weight_N},
       {"load_N", end.load_N},
       {"friction_N", end.friction_N},
       {"torque_Nm", outcome->wrench.torque_Nm},
       {"tip_mm", in_mm(end.motion.tip_m)},
       {"turns_deg",
        {rad_to_deg(turns_rad[0]), rad_to_deg(turns_rad[1]), rad_to_deg(turns_rad[2])}},
       {"speed_m_per_s", speed_m_per_s}},
      outcome->warnings);
}

}  // namespace tactelier::cli
