#pragma once
// Presses of a pad that relaxes, for the joint fit: the branches' equation h' = r F_e' - h/tau is
// integrated in small steps by Heun's rule, apart from the recursion that the fit uses.

#include <cmath>
#include <string>
#include <vector>

#include "fitting/joint/joint_fit.hpp"
#include "fitting/statistics/random.hpp"

namespace tactelier::test {

struct MadePad {
  double k = 1800, hardening = 60, c_n = 0, dissipation = 0;
  std::vector<double> ratio{0.2, 0.12};
  std::vector<double> tau_s{0.15, 3};
  double noise_N = 2e-3;
  double scatter = 0;     // of each press's stiffness
  double too_deep_m = 0;  // the fit's contact point lies this much above the true one
};

/// Corner points of a motion: straight between them.
struct Corner {
  double time_s, depth_m;
};

class MadePresses {
 public:
  MadePresses(const MadePad& pad, std::uint64_t seed) : pad_(pad), random_(seed) {}

  void ramp(double speed_m_per_s, double deep_m = 1e-3) {
    const double t = deep_m / speed_m_per_s;
    press({{0, 0}, {t, deep_m}, {2 * t, 0}}, static_cast<std::size_t>(std::max(1.0, 10 * t)));
  }
  void hold(double length_s, double deep_m) {
    press({{0, 0}, {0.2, deep_m}, {0.2 + length_s, deep_m}}, 20);
  }

  std::vector<JointTrace> traces;
  std::vector<std::vector<double>> force_N;  // of every sample of traces[i].path, without noise

 private:
  void press(const std::vector<Corner>& corners, std::size_t stretch) {
    JointTrace trace;
    trace.where = "press " + std::to_string(traces.size() + 1);
    const double k = pad_.k * (1 + pad_.scatter * random_.normal());
    std::vector<double> h(pad_.ratio.size()), speeds, forces;
    constexpr int kSmall = 40;
    const double dt = 2e-3 / kSmall;
    double depth = 0;
    std::size_t leg = 1;
    for (double t = dt; t <= corners.back().time_s + dt / 2; t += dt) {
      while (leg + 1 < corners.size() && t > corners[leg].time_s + dt / 2) ++leg;
      const auto &from = corners[leg - 1], &to = corners[leg];
      const double v = (to.depth_m - from.depth_m) / (to.time_s - from.time_s);
      const double now = from.depth_m + v * (t - from.time_s);
      const double change = elastic(k, now) - elastic(k, depth);
      for (std::size_t j = 0; j < h.size(); ++j) {
        const double a = pad_.ratio[j] * change / dt, first = a - h[j] / pad_.tau_s[j];
        const double second = a - (h[j] + dt * first) / pad_.tau_s[j];
        h[j] += dt * (first + second) / 2;
      }
      depth = now;
      if (++small_ % kSmall != 0) continue;
      double force = elastic(k, now) * (1 + pad_.dissipation * v) +
                     pad_.c_n * (1 + 2 * pad_.hardening * now) * v;
      for (const double one : h) force += one;
      trace.path.time_s.push_back(t);
      trace.path.depth_m.push_back(now + (now > 0 ? pad_.too_deep_m : 0));
      forces.push_back(force);
      speeds.push_back(v);
    }
    small_ = 0;
    add_rows(trace, speeds, forces, stretch);
    traces.push_back(std::move(trace));
    force_N.push_back(std::move(forces));
  }

  double elastic(double k, double depth) const {
    return k * (depth + pad_.hardening * depth * depth);
  }

  void add_rows(JointTrace& trace, const std::vector<double>& speeds,
                const std::vector<double>& forces, std::size_t stretch) {
    for (std::size_t begin = 0; begin + stretch <= forces.size(); begin += stretch) {
      const std::size_t end = begin + stretch;
      if (speeds[begin] != speeds[end - 1] || trace.path.depth_m[begin] < 5e-5) continue;
      RateRow row;
      const auto n = static_cast<double>(stretch);
      for (std::size_t i = begin; i < end; ++i) {
        row.depth_m += trace.path.depth_m[i] / n;
        row.force_N += forces[i] / n;
      }
      row.velocity_m_per_s = speeds[begin];
      row.sigma_N = pad_.noise_N / std::sqrt(n);
      row.force_N += row.sigma_N * random_.normal();
      trace.rows.push_back(row);
      trace.means.push_back({begin, end});
    }
  }

  MadePad pad_;
  RandomSource random_;
  int small_ = 0;
};

inline std::vector<const JointTrace*> pointers(const std::vector<JointTrace>& traces) {
  std::vector<const JointTrace*> list;
  for (const auto& trace : traces) list.push_back(&trace);
  return list;
}

inline MadePresses record(const MadePad& pad, std::uint64_t seed, double hold_s = 15) {
  MadePresses made(pad, seed);
  for (const double speed : {2e-4, 5e-4, 2e-3, 5e-3}) {
    made.ramp(speed);
    made.ramp(speed);
  }
  for (const double deep : {0.5e-3, 1e-3}) {
    made.hold(hold_s, deep);
    made.hold(hold_s, deep);
  }
  return made;
}

/// A start as the stages would give it: a few percent off.
inline JointValues start_near(const MadePad& pad, double damping) {
  JointValues values{pad.k * 1.08, 0, damping, 0, pad.ratio, pad.tau_s};
  for (double& ratio : values.ratio) ratio *= 0.95;
  for (double& tau : values.tau_s) tau *= 1.1;
  return values;
}

}  // namespace tactelier::test
