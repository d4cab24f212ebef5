#include "fitting/damping/press_in_time.hpp"

#include <algorithm>

#include "fitting/contact/contact.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kMinRows = 100;

std::string why_unusable(const Result<PressData>& data, std::string_view what) {
  if (!data) return data.error().message;
  if (!data->has_force() || !data->has_travel() || data->static_readings)
    return fmt::format("NO-SAMPLES {} needs force and stage travel in time", what);
  if (data->rows() < kMinRows)
    return fmt::format("NO-SAMPLES {} rows, {} needed", data->rows(), kMinRows);
  return {};
}

}  // namespace

Result<PressInTime> press_in_time(const FitContext& context, std::size_t session, std::size_t press,
                                  double slowest_tau_s, std::string_view what,
                                  const StageLines* lines) {
  const bool remembers = slowest_tau_s > 0;
  PressInTime found;
  const auto refuse = [&](std::string reason) {
    found.refusal = std::move(reason);
    return found;
  };
  const auto* contact = find_contact(context, session, press);
  if (!contact || !contact->ok)
    return refuse(contact && !contact->reason.empty() ? contact->reason : "RC-01 no contact");
  if (auto rig = unknown_rig(context, session); !rig.empty()) return refuse(std::move(rig));
  auto data = load_press(context, session, press, {}, PressBase::kForce);
  if (!data && data.error().code != ErrorCode::kUnidentifiable) return fail(data.error());
  if (auto why = why_unusable(data, what); !why.empty()) return refuse(std::move(why));
  if (remembers)
    if (auto added =
            add_history(context, session, press, found.before, remembered_s(slowest_tau_s), lines);
        !added)
      return fail(added.error());
  if (found.before.time_s.empty()) found.before.begin_s = data->time_s.front();
  found.data = std::move(*data);
  const auto met = remembers ? at_rest(context, session, press, *contact) : *contact;
  found.depth_m = depth_m(context, met, found.data);
  found.force_N = found.data.force_N;
  for (double& force : found.force_N) force -= contact->force_bias_N;
  found.sigma_force_N = contact->sigma_force_N;
  found.u_contact_m = contact->u_z0_m;
  found.nut_m = found.depth_m;
  for (double& nut : found.nut_m) nut += met.z0_m;
  if (session >= context.compliance.size()) return found;
  const auto& frame = context.compliance[session];
  found.rig_m = frame.deflection_m(found.force_N[found.data.peak]);
  for (std::size_t i = 0; i < found.nut_m.size(); ++i)
    found.nut_m[i] += frame.deflection_m(found.force_N[i]);
  return found;
}

double slowest_stage_s(const FitContext& context, const std::vector<std::size_t>& sessions) {
  double slowest_s = 0;
  for (const std::size_t session : sessions) {
    const auto* stage = context.sessions[session].session->stream(StreamKind::kStage);
    const double rate_hz = stage ? stage->rate_hz().value_or(0) : 0;
    if (rate_hz > 0) slowest_s = std::max(slowest_s, 1 / rate_hz);
  }
  return slowest_s;
}

}  // namespace tactelier
