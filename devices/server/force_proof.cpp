#include "devices/server/force_proof.hpp"

#include <cmath>

#include "devices/acquisition/session_document.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;

constexpr double kPushMean_s = 0.3;
constexpr double kLeft_N = 0.05;
constexpr int kPushes = 3;

}  // namespace

Result<void> ForceProof::prove(const RunningTask& task) {
  if (proved_ == live_.force_connections()) return {};
  const auto expected = axes();
  if (!expected) return fail(expected.error());
  const auto untouched_N = mean_force_N();
  if (!untouched_N) return fail(untouched_N.error());
  if (auto pushed = push_each_way(task, *expected); !pushed) return pushed;
  if (auto hung = hang_weight(task, *expected); !hung) return hung;
  if (auto clear = hands_off(task, *untouched_N); !clear) return clear;
  proved_ = live_.force_connections();
  return file_.change({{"force_push_date", utc_now()}});
}

Result<ForceAxes> ForceProof::axes() const {
  ForceAxes axes{file_.rig().press_axis, {}};
  const auto document = file_.document();
  const bool measured = file_.rig().registered && document.contains("registration_date");
  if (measured && document.contains("force_sensor")) {
    const double rz_deg = get_number(document["force_sensor"], "rz_deg").value_or(0);
    axes.rz_rad = deg_to_rad(rz_deg) - file_.rig().stage_to_sensor.rz_rad;
  }
  return axes;
}

Result<void> ForceProof::push_each_way(const RunningTask& task, const ForceAxes& axes) {
  const auto& scale = live_.shapes().force.SI_per_count;
  const bool three_axes = scale[0] != 0 && scale[1] != 0;
  int done = 0;
  for (const auto push : {Push::kUp, Push::kX, Push::kY}) {
    if (push != Push::kUp && !three_axes) continue;
    task.progress("force axes", done++, kPushes);
    if (auto pushed = push_one(task, push, axes); !pushed) return pushed;
  }
  return {};
}

Result<void> ForceProof::push_one(const RunningTask& task, Push push, const ForceAxes& axes) {
  Question question{push_text(push), ""};
  question.push_N = push_N(push);
  const auto felt = felt_N(task, question);
  if (!felt) return fail(felt.error());
  if (auto judged = judge_push(push, *felt, axes); !judged) return judged;
  Question off{"Let go.", ""};
  off.push_N = Vector3{};
  return ask(task, off);
}

Result<void> ForceProof::hang_weight(const RunningTask& task, const ForceAxes& axes) {
  const auto mass_g = get_number(file_.document(), "check_mass_g");
  if (!mass_g || weighed_ == live_.force_connections()) return {};
  if (auto hung = hang(task, g_to_kg(*mass_g), axes); !hung) return fail(hung.error());
  return {};
}

Result<double> ForceProof::hang(const RunningTask& task, double mass_kg, const ForceAxes& axes) {
  Question hang{hang_text(mass_kg), ""};
  hang.hung_kg = mass_kg;
  const auto felt = felt_N(task, hang);
  if (!felt) return fail(felt.error());
  if (auto judged = judge_weight(mass_kg, *felt, axes); !judged) return fail(judged.error());
  Question off{"Take the weight off.", ""};
  off.hung_kg = 0;
  if (auto taken = ask(task, off); !taken) return fail(taken.error());
  weighed_ = live_.force_connections();
  return -axes.press_axis.sign * (*felt)[axes.press_axis.index];
}

Result<nlohmann::json> ForceProof::weigh(const RunningTask& task, double mass_kg) {
  const auto expected = axes();
  if (!expected) return fail(expected.error());
  const auto untouched_N = mean_force_N();
  if (!untouched_N) return fail(untouched_N.error());
  const auto felt_N = hang(task, mass_kg, *expected);
  if (!felt_N) return fail(felt_N.error());
  if (auto clear = hands_off(task, *untouched_N); !clear) return fail(clear.error());
  const double mass_g = mass_kg * 1e3;
  if (auto kept = file_.change({{"check_mass_g", mass_g}}); !kept) return fail(kept.error());
  const double true_N = mass_kg * kStandardGravity_m_per_s2;
  return nlohmann::json{
      {"mass_g", mass_g}, {"true_N", true_N}, {"felt_N", *felt_N}, {"gain", *felt_N / true_N}};
}

Result<void> ForceProof::hands_off(const RunningTask& task, const Forces& untouched_N) {
  if (auto clear = ask(task, {"Hands off the rig: it moves next.", ""}); !clear) return clear;
  if (auto settled = mean_force_N(); !settled) return fail(settled.error());
  const auto now_N = mean_force_N();
  if (!now_N) return fail(now_N.error());
  const double left_N = std::hypot((*now_N)[0] - untouched_N[0], (*now_N)[1] - untouched_N[1],
                                   (*now_N)[2] - untouched_N[2]);
  if (left_N <= kLeft_N) return {};
  return fail(
      ErrorCode::kDeviceFault,
      "{:.2f} N are left of what was pushed and hung ({:.2f} N are allowed): take everything "
      "off the tip and begin again",
      left_N, kLeft_N);
}

Result<void> ForceProof::ask(const RunningTask& task, const Question& question) {
  const auto waiting = [&]() -> Result<void> {
    if (task.stop.stop_requested()) return fail(ErrorCode::kCancelled, "stopped on request");
    return live_.pump(Timeout(10));
  };
  if (auto answer = operator_.ask(question, waiting); !answer) return fail(answer.error());
  return {};
}

Result<ForceProof::Forces> ForceProof::felt_N(const RunningTask& task, const Question& what) {
  const auto before = mean_force_N();
  if (!before) return fail(before.error());
  if (auto asked = ask(task, what); !asked) return fail(asked.error());
  // Not counted: records that were under way before the answer.
  if (const auto settled = mean_force_N(); !settled) return fail(settled.error());
  auto felt = mean_force_N();
  if (!felt) return felt;
  for (std::size_t i = 0; i < 3; ++i) (*felt)[i] -= (*before)[i];
  return felt;
}

Result<ForceProof::Forces> ForceProof::mean_force_N() {
  const auto mean = live_.quiet_mean(kPushMean_s, false);
  if (!mean) return fail(mean.error());
  return Forces{mean->wrench_SI[0], mean->wrench_SI[1], mean->wrench_SI[2]};
}

}  // namespace tactelier::rig
