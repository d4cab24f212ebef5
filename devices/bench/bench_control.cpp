#include "devices/bench/bench_control.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "libcalib/json_check.hpp"
#include "libcalib/sensor/indenter.hpp"
#include "libcalib/session/json_get.hpp"
#include "libcalib/units.hpp"

namespace tactelier::devices {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestLine = 65536;
constexpr double kMost_s = 1e6;
constexpr int kMaxMessages = 1'000'000;
constexpr std::array kDevices{"stage", "force", "tactile", "encoder"};

tl::unexpected<Error> unknown(std::string_view key, std::string_view word,
                              const std::vector<std::string>& words) {
  return fail(ErrorCode::kUsage, "{}: '{}' is none of {}{}", key, word, fmt::join(words, ", "),
              did_you_mean(word, words));
}

Result<void> only_keys(const json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return unknown("unknown key", key, known);
  return {};
}

Result<double> number_at(const json& object, const char* key, double least, double most,
                         std::optional<double> otherwise) {
  const auto found = object.find(key);
  if (found == object.end() && otherwise) return *otherwise;
  if (found == object.end() || !found->is_number())
    return fail(ErrorCode::kUsage, "{}: a number expected", key);
  const double number = found->get<double>();
  if (!(number >= least && number <= most))
    return fail(ErrorCode::kUsage, "{}: {} is outside {} to {}", key, number, least, most);
  return number;
}

Result<std::string> word_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    return fail(ErrorCode::kUsage, "{}: a word expected", key);
  return found->get<std::string>();
}

Result<void> inject_fault(VirtualBench& bench, const json& object, std::int64_t now_ns) {
  if (!object.is_object()) return fail(ErrorCode::kUsage, "fault: an object expected");
  if (auto known = only_keys(object, {"device", "kind", "after_s", "count", "for_s", "delay_s"});
      !known)
    return known;
  const auto name = word_at(object, "device");
  if (!name) return fail(name.error());
  auto* device = bench.device(*name);
  if (device == nullptr) return unknown("device", *name, {kDevices.begin(), kDevices.end()});
  const auto word = word_at(object, "kind");
  if (!word) return fail(word.error());
  const auto kind = parse_fault_kind(*word);
  if (!kind) return fail(kind.error());
  Fault fault;
  fault.kind = *kind;
  for (const auto& [key, target] : {std::pair{"after_s", &fault.after_s},
                                    {"for_s", &fault.for_s},
                                    {"delay_s", &fault.delay_s}}) {
    const auto number = number_at(object, key, 0, kMost_s, *target);
    if (!number) return fail(number.error());
    *target = *number;
  }
  const auto count = number_at(object, "count", 1, kMaxMessages, fault.count);
  if (!count) return fail(count.error());
  fault.count = static_cast<int>(*count);
  device->inject(fault, now_ns);
  return {};
}

Result<pad::Attitude> attitude_of(const json& object) {
  pad::Attitude attitude;
  for (const auto& [key, target] : {std::pair{"rz_deg", &attitude.rz_rad},
                                    {"tilt_x_deg", &attitude.tilt_x_rad},
                                    {"tilt_y_deg", &attitude.tilt_y_rad}}) {
    const auto angle = number_at(object, key, -360, 360, 0.0);
    if (!angle) return fail(angle.error());
    *target = deg_to_rad(*angle);
  }
  return attitude;
}

Result<void> set_indenter(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"set", "indenter", "rz_deg", "tilt_x_deg", "tilt_y_deg"});
      !known)
    return known;
  const auto found = object.find("indenter");
  if (found == object.end()) return fail(ErrorCode::kUsage, "indenter: an object expected");
  const auto indenter = parse_indenter(canonical(*found), "indenter");
  if (!indenter) return fail(indenter.error());
  return attitude_of(object).and_then(
      [&](const pad::Attitude& attitude) { return bench.pad().set_indenter(*indenter, attitude); });
}

Result<void> set_weight(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"set", "mass_g"}); !known) return known;
  return number_at(object, "mass_g", 0, 1e5, std::nullopt).map([&](double mass_g) {
    bench.pad().hang(g_to_kg(mass_g) * kStandardGravity_m_per_s2);
  });
}

/// A shape laid on the pad by hand, or with 0 g taken off it.
Result<void> set_laid(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"set", "mass_g", "indenter", "x_mm", "y_mm", "rz_deg",
                                      "tilt_x_deg", "tilt_y_deg"});
      !known)
    return known;
  const auto mass_g = number_at(object, "mass_g", 0, 1e5, std::nullopt);
  if (!mass_g) return fail(mass_g.error());
  if (*mass_g == 0) return bench.pad().lift_weight(), Result<void>{};
  const auto found = object.find("indenter");
  if (found == object.end()) return fail(ErrorCode::kUsage, "indenter: an object expected");
  auto indenter = parse_indenter(canonical(*found), "indenter");
  if (!indenter) return fail(indenter.error());
  const auto x_mm = number_at(object, "x_mm", -1e4, 1e4, 0.0);
  const auto y_mm = number_at(object, "y_mm", -1e4, 1e4, 0.0);
  for (const auto* number : {&x_mm, &y_mm})
    if (!*number) return fail(number->error());
  const auto attitude = attitude_of(object);
  if (!attitude) return fail(attitude.error());
  const pad::Resting weight{std::move(*indenter), *attitude, mm_to_m(*x_mm), mm_to_m(*y_mm),
                            g_to_kg(*mass_g)};
  return bench.pad().rest(weight).map([](double) {});
}

Result<void> set_push(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"set", "force_N"}); !known) return known;
  const auto found = object.find("force_N");
  const bool three =
      found != object.end() && found->is_array() && found->size() == 3 &&
      std::all_of(found->begin(), found->end(), [](const json& x) { return x.is_number(); });
  if (!three) return fail(ErrorCode::kUsage, "force_N: three numbers expected");
  bench.push_tip(found->get<Vector3>());
  return {};
}

json faults_json(VirtualBench& bench, std::int64_t now_ns) {
  auto list = json::array();
  for (const char* name : kDevices) {
    const auto* device = bench.device(name);
    if (device == nullptr) continue;
    for (const auto& one : device->faults(now_ns)) {
      const auto& info = info_of(one.fault.kind);
      json entry{{"device", name}, {"kind", info.word}};
      if (one.begins_in_s > 0) entry["after_s"] = one.begins_in_s;
      if (info.counts) entry["count"] = one.left;
      if (info.lasts) entry["for_s"] = one.lasts_s;
      if (info.delays) entry["delay_s"] = one.fault.delay_s;
      list.push_back(std::move(entry));
    }
  }
  return list;
}

json kinds_json() {
  auto list = json::array();
  for (const auto& info : fault_kinds()) {
    auto takes = json::array({"after_s"});
    if (info.counts) takes.push_back("count");
    if (info.lasts) takes.push_back("for_s");
    if (info.delays) takes.push_back("delay_s");
    list.push_back({{"kind", info.word}, {"what", info.what}, {"takes", std::move(takes)}});
  }
  return list;
}

Result<json> get_something(VirtualBench& bench, const json& object, std::int64_t now_ns) {
  if (auto known = only_keys(object, {"get"}); !known) return fail(known.error());
  const auto word = word_at(object, "get");
  if (!word) return fail(word.error());
  if (*word == "force") return json{{"force_N", bench.pad().state().force_N}};
  if (*word == "peak") return json{{"force_N", bench.take_peak_N()}};
  if (*word == "faults") return json{{"faults", faults_json(bench, now_ns)}};
  if (*word == "kinds") return json{{"kinds", kinds_json()}};
  return unknown("get", *word, {"force", "peak", "faults", "kinds"});
}

Result<void> set_target(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"set", "target", "top_mm"}); !known) return known;
  const auto word = word_at(object, "target");
  if (!word) return fail(word.error());
  const std::vector<std::string> words{"pad",    "plate",   "reference",
                                       "ground", "nothing", "by-place"};
  const auto found = std::find(words.begin(), words.end(), *word);
  if (found == words.end()) return unknown("target", *word, words);
  std::optional<double> top_m;
  if (object.contains("top_mm")) {
    const auto top_mm = number_at(object, "top_mm", -1e4, 1e4, std::nullopt);
    if (!top_mm) return fail(top_mm.error());
    top_m = mm_to_m(*top_mm);
  }
  constexpr std::array<std::optional<pad::Target>, 6> kTargets{
      pad::Target::kPad,    pad::Target::kRigidPlate, pad::Target::kReferencePad,
      pad::Target::kGround, pad::Target::kNothing,    std::nullopt};
  bench.lay_under_tip(kTargets[static_cast<std::size_t>(found - words.begin())], top_m);
  return {};
}

Result<void> do_something(VirtualBench& bench, const json& object) {
  if (auto known = only_keys(object, {"do"}); !known) return known;
  const auto word = word_at(object, "do");
  if (!word) return fail(word.error());
  if (*word == "bump") return bench.pad().bump(), Result<void>{};
  if (*word == "remount") return bench.pad().remount(), Result<void>{};
  if (*word == "mend") {
    for (const char* name : kDevices)
      if (auto* device = bench.device(name)) device->mend();
    return {};
  }
  return unknown("do", *word, {"bump", "remount", "mend"});
}

Result<void> set_something(VirtualBench& bench, const json& object) {
  const auto what = word_at(object, "set");
  if (!what) return fail(ErrorCode::kUsage, "bench_control: one of set, get, do, fault expected");
  if (*what == "indenter") return set_indenter(bench, object);
  if (*what == "weight") return set_weight(bench, object);
  if (*what == "laid") return set_laid(bench, object);
  if (*what == "push") return set_push(bench, object);
  if (*what == "target") return set_target(bench, object);
  return unknown("set", *what, {"indenter", "weight", "laid", "push", "target"});
}

Result<void> obey(VirtualBench& bench, const json& object, std::int64_t now_ns) {
  if (object.contains("do")) return do_something(bench, object);
  if (!object.contains("fault")) return set_something(bench, object);
  if (auto known = only_keys(object, {"fault"}); !known) return known;
  return inject_fault(bench, object.at("fault"), now_ns);
}

}  // namespace

Result<json> control_bench(VirtualBench& bench, std::string_view line, std::int64_t now_ns) {
  const auto parsed = parse_json(line, "bench_control");
  if (!parsed) return fail(parsed.error());
  if (!parsed->is_object()) return fail(ErrorCode::kUsage, "bench_control: an object expected");
  bench.run_until(now_ns);
  if (parsed->contains("get")) return get_something(bench, *parsed, now_ns);
  return obey(bench, *parsed, now_ns).map([] { return json::object(); });
}

void BenchControl::receive(ByteView bytes, int peer, std::int64_t now_ns) {
  auto& text = lines_[peer];
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
    auto done = control_bench(bench_, std::string_view(text).substr(0, end), now_ns);
    text.erase(0, end + 1);
    if (done) (*done)["ok"] = true;
    const auto answer =
        (done ? canonical(*done) : canonical({{"error", done.error().message}})) + "\n";
    wire_.send(now_ns, Bytes(answer.begin(), answer.end()), peer);
  }
  if (text.size() <= kLongestLine) return;
  lines_.erase(peer);
  wire_.send(now_ns, {}, peer, true);
}

}  // namespace tactelier::devices
