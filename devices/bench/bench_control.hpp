#pragma once
// The operator's hands at the virtual bench (docs/virtual-bench.md 3): JSON lines over a stream,
// each answered by {"ok": true} or {"error": "..."}.
//
//   {"set": "indenter", "indenter": {"shape": "sphere", "diameter_mm": 8}, "rz_deg": 45}
//   {"set": "weight", "mass_g": 100}         hangs on the force sensor; 0 takes it off
//   {"set": "push", "force_N": [0, 0, 1]}    a finger at the tip, stage frame; zeros let go
//   {"set": "target", "target": "plate", "top_mm": -20}     pad, plate, reference, ground, nothing,
//   by-place
//   {"do": "bump"}   {"do": "remount"}
//   {"get": "force"}  {"get": "peak"}         the true force on what lies under the tip now, and
//   the largest since the last {"get": "peak"}: answered {"ok": true, "force_N": 1.2}
//   {"fault": {"device": "force", "kind": "freeze", "after_s": 3}}   and count, for_s, delay_s
//   {"get": "kinds"}  what faults there are and what each takes;  {"get": "faults"}  those that are
//   not over;  {"do": "mend"}  ends them

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "devices/bench/virtual_bench.hpp"

namespace tactelier::devices {

/// Does what one line says; its answer's members beside "ok". Fails with kUsage, naming the key or
/// the word.
Result<nlohmann::json> control_bench(VirtualBench& bench, std::string_view line,
                                     std::int64_t now_ns);

/// control_bench() for whoever connects.
class BenchControl final : public Emulator {
 public:
  explicit BenchControl(VirtualBench& bench) : bench_(bench) {}

  void receive(ByteView bytes, int peer, std::int64_t now_ns) override;
  void run_until(std::int64_t) override {}
  std::int64_t next_ns() const override { return wire_.next_ns(); }
  std::optional<Outgoing> take(std::int64_t now_ns) override { return wire_.take(now_ns); }
  void inject(const Fault& fault, std::int64_t now_ns) override { wire_.inject(fault, now_ns); }
  bool hung_up(std::int64_t) override { return false; }

 private:
  VirtualBench& bench_;
  EmulatedWire wire_;
  std::map<int, std::string> lines_;  // by peer, until they are whole
};

}  // namespace tactelier::devices
