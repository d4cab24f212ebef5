#include "app/workflow/free_object.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/workflow/simulate_image.hpp"
#include "libcalib/forward/soft_contact_method.hpp"
#include "libcalib/forward/solid_object.hpp"
#include "libcalib/model_file/model_file.hpp"
#include "libcalib/text_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

constexpr double kRows = 2000;  // of the course, at most

Matrix3 turned(double x_rad, double y_rad, double z_rad) {
  return times(turn_about({x_rad, 0, 0}),
               times(turn_about({0, y_rad, 0}), turn_about({0, 0, z_rad})));
}

/// Above the highest tactel, and so high that no corner of a tilted body begins in the pad.
ObjectMotion start_of(const FreeObjectRequest& request, const SensorDescription& sensor,
                      double reach_m) {
  const auto& pose = request.pose;
  double surface_m = sensor.position_m(0)[2];
  for (int i = 1; i < sensor.tactels(); ++i)
    surface_m = std::max(surface_m, sensor.position_m(i)[2]);
  const double corner_m =
      pose.level() ? 0 : reach_m * std::sin(std::hypot(pose.tilt_x_rad, pose.tilt_y_rad));
  ObjectMotion start;
  start.tip_m = {pose.x_m, pose.y_m, surface_m + corner_m + request.drop_m};
  start.S_from_local = turned(pose.tilt_x_rad, pose.tilt_y_rad, pose.rz_rad);
  return start;
}

Result<void> check(const FreeObjectRequest& request) {
  const double all = request.drop_m + request.slope_x_rad + request.slope_y_rad +
                     request.gravity_m_per_s2 + request.time_s + request.step_s;
  if (!request.pose.finite() || !std::isfinite(all))
    return fail(ErrorCode::kInvalidInput, "FW-07 Pose, slope or time holds what is no number.");
  if (!(request.step_s > 0) || !(request.time_s >= request.step_s) || request.drop_m < 0)
    return fail(ErrorCode::kInvalidInput,
                "FW-07 {} s in steps of {} s from {} m above: the step must be positive, the time "
                "at least a step, the height not negative.",
                request.time_s, request.step_s, request.drop_m);
  std::error_code unknown;
  if (!request.overwrite && !request.course.empty() &&
      std::filesystem::exists(request.course, unknown))
    return fail(ErrorCode::kUsage, "'{}' is there already; --overwrite replaces it",
                request.course.string());
  return {};
}

ObjectState state_of(const ObjectOnSensor& body) {
  return {body.time_s(), body.motion(),
          std::accumulate(body.force_N().begin(), body.force_N().end(), 0.0), body.friction_N()};
}

constexpr std::string_view kCourseHead =
    "t_s,x_mm,y_mm,z_mm,tilt_x_deg,tilt_y_deg,rz_deg,speed_mm_s,load_N,friction_x_N,"
    "friction_y_N\n";

std::string course_row(const ObjectState& state) {
  const auto& motion = state.motion;
  const auto turns = turns_of(motion);
  const auto& v = motion.velocity_m_per_s;
  return fmt::format(
      "{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.6g},{:.10g},"
      "{:.10g},{:.10g}\n",
      state.time_s, m_to_mm(motion.tip_m[0]), m_to_mm(motion.tip_m[1]), m_to_mm(motion.tip_m[2]),
      rad_to_deg(turns[0]), rad_to_deg(turns[1]), rad_to_deg(turns[2]),
      m_to_mm(std::sqrt(dot(v, v))), state.load_N, state.friction_N[0], state.friction_N[1]);
}

std::string course_table(const std::vector<ObjectState>& course) {
  std::string table(kCourseHead);
  for (const auto& state : course) table += course_row(state);
  return table;
}

Warnings warnings_of(const FoundationColumn& column, const FreeObjectRequest& request) {
  Warnings warnings;
  if (!column.friction && (request.slope_x_rad != 0 || request.slope_y_rad != 0))
    warnings.push_back({"FW-11", "the model knows no friction: nothing holds a body on a slope",
                        request.model.filename().string()});
  if (column.damping_N_s_per_m <= 0)
    warnings.push_back({"FW-12",
                        "the model has no damping.c_n: swings die away by the step's own, so look "
                        "at the rest and not at the way there",
                        request.model.filename().string()});
  return warnings;
}

/// In as many parts as the course has rows, so that it can be stopped and followed.
Result<std::vector<ObjectState>> follow(ObjectOnSensor& body, const FreeObjectRequest& request,
                                        const Job& job) {
  std::vector<ObjectState> course;
  const auto steps = static_cast<std::uint64_t>(std::round(request.time_s / request.step_s));
  const auto per_row = static_cast<std::uint64_t>(std::ceil(static_cast<double>(steps) / kRows));
  for (std::uint64_t done = 0; done < steps;) {
    if (job.stopped()) return Job::cancelled();
    job.progress("simulate", static_cast<double>(done), static_cast<double>(steps));
    const auto part = std::min(per_row, steps - done);
    if (auto gone = body.advance(static_cast<double>(part) * request.step_s, request.step_s); !gone)
      return fail(gone.error());
    done += part;
    course.push_back(state_of(body));
  }
  return course;
}

}  // namespace

Vector3 turns_of(const ObjectMotion& motion) {
  const auto& r = motion.S_from_local;  // R_x R_y R_z
  return {std::atan2(-r[1][2], r[2][2]), std::asin(std::clamp(r[0][2], -1.0, 1.0)),
          std::atan2(-r[0][1], r[0][0])};
}

Result<FreeObjectOutcome> settle_object(const FreeObjectRequest& request, const Job& job) {
  const auto model = read_model(request.model);
  if (!model) return fail(model.error());
  return settle_object(*model, request, job);
}

Result<FreeObjectOutcome> settle_object(const SensorModel& model, const FreeObjectRequest& request,
                                        const Job& job) {
  if (auto sound = check(request); !sound) return fail(sound.error());
  const auto indenter = read_indenter(request.indenter);
  if (!indenter) return fail(indenter.error());
  const auto object = solid_object(*indenter, request.mass_kg, request.height_m);
  if (!object) return fail(object.error());
  const auto column = column_of(model, cell_area_m2(model.sensor));
  if (!column)
    return fail(ErrorCode::kUnidentifiable,
                "FW-05 How far {} sinks in needs the pad's stiffness, which the model has not.",
                indenter->describe());
  const auto surface = IndenterSurface::create(object->shape);
  if (!surface) return fail(surface.error());
  auto body = ObjectOnSensor::create(model.sensor, *column, *object,
                                     start_of(request, model.sensor, surface->reach_m()));
  if (!body) return fail(body.error());
  const auto S_from_world = transposed(turned(request.slope_x_rad, request.slope_y_rad, 0));
  body->set_gravity(times(S_from_world, Vector3{0, 0, -request.gravity_m_per_s2}));
  auto course = follow(*body, request, job);
  if (!course && !column->friction && course.error().code == ErrorCode::kInvalidInput)
    return fail(ErrorCode::kInvalidInput, "{} The model knows no friction (FW-11).",
                course.error().message);
  if (!course) return fail(course.error());
  if (!request.course.empty())
    if (auto written = write_text_file(request.course, course_table(*course)); !written)
      return fail(written.error());
  FreeObjectOutcome outcome{{},
                            state_of(*body),
                            std::move(*course),
                            body->wrench(),
                            request.mass_kg * request.gravity_m_per_s2,
                            warnings_of(*column, request)};
  const TactelReadout readout(model);
  auto image = image_of(
      model.sensor,
      request.counts ? device_readings(readout, body->force_N(), std::nullopt) : body->force_N(),
      request.counts ? "counts" : "N");
  if (!image) return fail(image.error());
  outcome.image = std::move(*image);
  return outcome;
}

}  // namespace tactelier
