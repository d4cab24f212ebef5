#pragma once
// Requests to a rig process as nobody should write them: good ones, changed a little at random, the
// same ones for the same seed. Nothing that moves a stage comes out.

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

namespace tactelier::rig {

class RequestMutator {
 public:
  explicit RequestMutator(std::uint64_t seed) : random_(seed) {}

  /// One line without its end; often JSON, sometimes a request.
  std::string line() {
    auto text = any(kGood);
    if (chance(2)) {
      auto request = nlohmann::json::parse(text);
      for (auto left = below(3); left > 0; --left) change_member(request);
      text = request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    if (chance(3))
      for (auto left = below(4); left > 0; --left) change_text(text);
    std::erase(text, '\n');
    return text;
  }

  /// Without what would set the stage in motion: homing, and set-up on the way to a task.
  static nlohmann::json at_rest(nlohmann::json request) {
    if (!request.is_object()) return request;
    if (request.contains("set_up") && request["set_up"] == true) request["set_up"] = false;
    if (request.contains("do") && request["do"] == "home") request["do"] = "retract";
    return request;
  }

  std::size_t below(std::size_t end) { return random_() % end; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

 private:
  template <class List>
  std::string any(const List& list) {
    return std::string(list[below(list.size())]);
  }

  nlohmann::json value() {
    switch (below(5)) {
      case 0:
        return std::string(below(200), static_cast<char>(below(256)));  // mostly no UTF-8
      case 1:
        return nlohmann::json::parse(any(kGood));
      case 2:
        return static_cast<double>(random_()) * (chance(2) ? 1e280 : -1e-300);
      default:
        return nlohmann::json::parse(any(kValues));
    }
  }

  /// Somewhere within: another value, one more, one less.
  void change_member(nlohmann::json& node) {
    if (node.is_structured() && !node.empty() && !chance(4)) {
      auto at = node.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(below(node.size())));
      if (chance(8))
        node.erase(at);
      else
        change_member(*at);
    } else if (node.is_object()) {
      node[any(kKeys)] = value();
    } else if (node.is_array() && chance(2)) {
      node.push_back(value());
    } else if (node.is_string() && chance(3)) {
      node = any(kKeys);
    } else {
      node = value();
    }
  }

  void change_text(std::string& text) {
    const auto at = below(text.size() + 1), size = below(12);
    switch (below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, size);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), size));
        break;
      case 3:
        text.insert(at, any(kPieces));
        break;
      default:
        text.resize(at);
    }
  }

  static constexpr std::array<std::string_view, 29> kGood{
      R"({"do":"status"})",
      R"({"do":"ping"})",
      R"({"do":"halt"})",
      R"({"do":"stop"})",
      R"({"do":"acknowledge"})",
      R"({"do":"acknowledge"})",
      R"({"do":"pause"})",
      R"({"do":"resume"})",
      R"({"do":"skip"})",
      R"({"do":"repeat"})",
      R"({"do":"undo"})",
      R"({"do":"finish"})",
      R"({"do":"cancel"})",
      R"({"do":"note","text":"hello"})",
      R"({"do":"answer"})",
      R"({"do":"answer","value":1.5})",
      R"({"do":"home"})",
      R"({"do":"retract"})",
      R"({"do":"surface","set_up":true})",
      R"({"do":"register","set_up":false,"force_N":1})",
      R"({"do":"jog","by_mm":[0,0,0.1],"speed_mm_s":1})",
      R"({"do":"jog","by_mm":[1,-2,3]})",
      R"({"do":"keep","rig":{"compliance_um_per_N":4.1,"compliance_date":"2026-01-01"}})",
      R"({"do":"keep","rig":{"plate_mm":[60,0,-0.2],"stage":{"backlash_um":{"z":12}}}})",
      R"({"do":"keep","rig":{"plate_mm":[60,0,-0.2]}})",
      R"({"do":"record","file":"/nowhere/a.tact","resume":true,"set_up":true})",
      R"({"do":"record","file":"/nowhere/a.tact","set_up":true,"protocol":{"format":"tactelier/protocol","version":1,"name":"one","indenter":{"shape":"cylinder","diameter_mm":1},"steps":[{"do":"zero","time_s":1},{"do":"scan","tactels":[38],"speed_mm_s":0.8,"until":{"force_N":1,"depth_mm":1.5}}]}})",
      R"({"do":"record","file":"/nowhere/a.tact","set_up":false,"reference_spring_N_per_m":5000,"sensor_serial":"A7","mount":"m","operator":"o","notes":"n","protocol":{"format":"tactelier/protocol","version":1,"name":"two","indenter":{"shape":"sphere","diameter_mm":6},"steps":[{"do":"hold","sites":[38,[1,2]],"force_N":1,"ramp_s":2,"time_s":2},{"do":"raster","area_mm":[-4,-4,4,4],"step_mm":2,"depth_mm":0.5},{"do":"repeat","times":2,"steps":[{"do":"zero","time_s":1}]}]}})",
      R"({"do":"record","file":"/nowhere/a.tact","protocol":{"format":"tactelier/protocol","version":1,"name":"three","steps":[{"do":"zero","time_s":1},{"do":"prompt","text":"Mount.","indenter":{"shape":"sphere","diameter_mm":6}},{"do":"slide","load_N":[1],"speeds_mm_s":[2],"length_mm":4,"directions_deg":[0],"repeats":1}]}})"};
  static constexpr std::array<std::string_view, 20> kValues{"null",
                                                            "true",
                                                            "false",
                                                            "0",
                                                            "-1",
                                                            "1e308",
                                                            "-1e308",
                                                            "5e-324",
                                                            "18446744073709551615",
                                                            "-9223372036854775808",
                                                            "\"\"",
                                                            "\"x\"",
                                                            R"("\u0000")",
                                                            R"("\ud83d\ude00")",
                                                            "[]",
                                                            "{}",
                                                            "[[[[[[]]]]]]",
                                                            R"({"a":{"b":{"c":[1,{"d":null}]}}})",
                                                            "[1,2,3]",
                                                            R"(["a",null,{}])"};
  static constexpr std::array<std::string_view, 16> kKeys{
      "do",     "text",   "value", "by_mm", "speed_mm_s",  "file", "protocol", "rig",
      "set_up", "resume", "steps", "stage", "backlash_um", "~1/",  "",         "watch"};
  static constexpr std::array<std::string_view, 14> kPieces{
      "\"",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "\\u0000",
      "\\ud800",
      "1e999",
      "NaN",
      "\xff\xfe",
      "\"do\":\"quit\"",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["};

  std::mt19937_64 random_;
};

}  // namespace tactelier::rig
