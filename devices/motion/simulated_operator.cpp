#include "devices/motion/simulated_operator.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "libcalib/units.hpp"

namespace tactelier::rig {

using devices::Timeout;
using nlohmann::json;

Result<std::unique_ptr<SimulatedOperator>> SimulatedOperator::connect(const std::string& url) {
  auto link = devices::open_link(url);
  if (!link) return fail(link.error(), "bench_control");
  return std::unique_ptr<SimulatedOperator>(new SimulatedOperator(std::move(*link)));
}

Result<void> SimulatedOperator::order(const std::string& line) {
  constexpr Timeout kSend{1000}, kReply{5000};
  if (auto sent = link_->send(devices::view_of(line + "\n"), kSend); !sent) return sent;
  std::string reply;
  std::array<std::uint8_t, 1024> bytes{};
  while (reply.find('\n') == reply.npos) {
    const auto got = link_->receive(bytes, kReply);
    if (!got) return fail(got.error(), "bench_control");
    reply.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(got->size));
  }
  const auto answer = json::parse(reply, nullptr, false);
  if (answer.is_object() && answer.value("ok", false)) return {};
  return fail(ErrorCode::kUsage, "bench_control: {}: {}", line,
              answer.is_object() ? answer.value("error", reply) : reply);
}

Result<void> SimulatedOperator::mount(const MountedIndenter& indenter, double rz_rad) {
  return order(json{{"set", "indenter"},
                    {"indenter", json::parse(indenter.json)},
                    {"rz_deg", rz_rad / deg_to_rad(1)}}
                   .dump());
}

Result<Answer> SimulatedOperator::ask(const Question& question,
                                      const std::function<Result<void>()>& waiting) {
  if (auto fine = waiting(); !fine) return fail(fine.error());
  if (!question.answer_key.empty())
    return fail(ErrorCode::kUsage,
                "'{}': the virtual bench has no gauge to read; leave this step out, or use synth",
                question.text);
  if (question.push_N) {
    const auto& push_N = *question.push_N;
    if (auto pushed = order(json{{"set", "push"}, {"force_N", push_N}}.dump()); !pushed)
      return fail(pushed.error());
  }
  if (question.hung_kg)
    if (auto hung = order(json{{"set", "weight"}, {"mass_g", *question.hung_kg * 1e3}}.dump());
        !hung)
      return fail(hung.error());
  if (question.indenter)
    if (auto mounted = mount(*question.indenter, question.rz_rad); !mounted)
      return fail(mounted.error());
  return Answer{};
}

Result<void> SimulatedOperator::place_object(const std::optional<ByHand>& what) {
  const auto hang = [&](double mass_kg) {
    return order(json{{"set", "weight"}, {"mass_g", mass_kg * 1e3}}.dump());
  };
  if (what && what->on_force_sensor) return hang(what->mass_kg);
  if (what && !what->indenter)
    return fail(ErrorCode::kUsage,
                "the virtual bench has no gauge to read under a dead weight; leave this step out, "
                "or use synth");
  if (!what) {
    if (auto taken = order(json{{"set", "laid"}, {"mass_g", 0}}.dump()); !taken) return taken;
    return hang(0);
  }
  return order(json{{"set", "laid"},
                    {"mass_g", what->mass_kg * 1e3},
                    {"indenter", json::parse(what->indenter->json)},
                    {"x_mm", m_to_mm(what->x_m)},
                    {"y_mm", m_to_mm(what->y_m)},
                    {"rz_deg", what->rz_rad / deg_to_rad(1)},
                    {"tilt_x_deg", what->tilt_x_rad / deg_to_rad(1)},
                    {"tilt_y_deg", what->tilt_y_rad / deg_to_rad(1)}}
                   .dump());
}

}  // namespace tactelier::rig
