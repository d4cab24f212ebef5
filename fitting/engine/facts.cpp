#include "fitting/engine/facts.hpp"

#include <array>
#include <utility>
#include <vector>

#include "fitting/array/array_facts.hpp"
#include "fitting/contact/contact_facts.hpp"
#include "fitting/damping/damping_facts.hpp"
#include "fitting/engine/fit_facts.hpp"
#include "fitting/friction/friction_facts.hpp"
#include "fitting/hydroelastic/hydroelastic_facts.hpp"
#include "fitting/joint/joint_facts.hpp"
#include "fitting/layer/layer_facts.hpp"
#include "fitting/psf/psf_facts.hpp"
#include "fitting/recording/press_facts.hpp"
#include "fitting/refresh/refresh_facts.hpp"
#include "fitting/relaxation/relaxation_facts.hpp"
#include "fitting/response/response_facts.hpp"
#include "fitting/rotary/rotary_facts.hpp"
#include "fitting/statistics/statistics_facts.hpp"
#include "fitting/stiffness/stiffness_facts.hpp"
#include "fitting/time/time_facts.hpp"
#include "fitting/wrench/wrench_facts.hpp"
#include "libcalib/forward/forward_facts.hpp"
#include "libcalib/import/import_facts.hpp"
#include "libcalib/model_file/model_facts.hpp"
#include "libcalib/reason.hpp"

namespace tactelier {
namespace {

constexpr auto kProtocols = std::to_array<ProtocolFact>({
    {"P0", "60 s of unloaded baseline, before and after"},
    {"P1", "the bare tip on a rigid plate, three presses to the largest force"},
    {"P2",
     "one press on each tactel's centre, loading and unloading, five repeats on five tactels"},
    {"P3", "seven depths, 5 s each, five repeats at three sites"},
    {"P4", "a flat plate larger than the array, seven loads"},
    {"P5", "ramps at four speeds over a factor of 30, loading and unloading"},
    {"P6", "a step held for 300 s at two depths"},
    {"P7", "a chirp from 0.1 to 10 Hz about a preload, two amplitudes"},
    {"P8", "a raster of presses between tactels, steps below half of σ"},
    {"P9", "slides at eight speeds, two directions, three loads"},
    {"P10", "small reversals before slip, two frequencies, three loads"},
    {"P11", "speed ramps through zero"},
    {"P12", "shapes at several angles and loads, to validate and not to fit"},
});

/// '*' stands for one name.
bool matches(std::string_view pattern, std::string_view path) {
  const auto star = pattern.find('*');
  if (star == pattern.npos) return pattern == path;
  const auto head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  return path.size() > head.size() + tail.size() && path.starts_with(head) && path.ends_with(tail);
}

bool is_within(std::string_view path, std::string_view group) {
  return path.starts_with(group) && path.size() > group.size() && path[group.size()] == '.';
}

/// Of all rows that `fits` accepts the one with the longest path.
template <class Row, class Fits>
const Row* most_special(std::span<const Row> FactTable::*rows, const Fits& fits) {
  const Row* best = nullptr;
  for (const auto* table : fact_tables())
    for (const auto& row : table->*rows)
      if (fits(row) && (best == nullptr || row.path.size() > best->path.size())) best = &row;
  return best;
}

}  // namespace

std::span<const StageFacts* const> stage_facts() {
  static const std::array kStages{
      &time_facts(),    &wrench_facts(), &contact_facts(),   &response_facts(),
      &psf_facts(),     &array_facts(),  &stiffness_facts(), &relaxation_facts(),
      &damping_facts(), &joint_facts(),  &friction_facts(),  &hydroelastic_facts(),
      &layer_facts(),   &rotary_facts(),
  };
  return kStages;
}

const StageFacts* facts_of_stage(std::string_view stage) {
  for (const auto* facts : stage_facts())
    if (facts->id == stage) return facts;
  return nullptr;
}

std::span<const FactTable* const> fact_tables() {
  static const auto kTables = [] {
    std::vector<const FactTable*> tables;
    for (const auto* facts : stage_facts()) tables.push_back(&facts->table);
    for (const auto* table : {&press_facts(), &statistics_facts(), &fit_facts(), &model_facts(),
                              &refresh::refresh_facts(), &forward_facts(), &import_facts()})
      tables.push_back(table);
    return tables;
  }();
  return kTables;
}

const ParameterFact* fact_of(std::string_view path) {
  const auto plain = without_indices(path);
  return most_special(&FactTable::parameters,
                      [&](const ParameterFact& fact) { return matches(fact.path, plain); });
}

const GroupFact* group_of(std::string_view path) {
  const auto plain = without_indices(path);
  const auto first = std::string_view(plain).substr(0, plain.find('.'));
  return most_special(&FactTable::groups, [&](const GroupFact& fact) {
    return is_within(plain, fact.path) || fact.path == plain ||
           (first.ends_with("[]") && first.substr(0, first.size() - 2) == fact.path);
  });
}

std::string without_indices(std::string_view path) {
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) plain += c;
    if (c == '[') inside = true;
  }
  return plain;
}

std::span<const ProtocolFact> protocol_facts() { return kProtocols; }

std::string_view protocol_words(std::string_view protocol) {
  for (const auto& fact : kProtocols)
    if (fact.id == protocol) return fact.what;
  return {};
}

const CodeFact* fact_of_code(std::string_view code, std::string_view path) {
  return most_special(&FactTable::codes, [&](const CodeFact& fact) {
    return fact.code == code && path.starts_with(fact.path);
  });
}

std::string Advice::action() const {
  return protocol.empty() ? cause : "add " + protocol + ": " + cause;
}

Advice advice_for(std::string_view reason, std::string_view path) {
  Advice advice;
  auto [code, words] = reason_of(reason);
  advice.code = std::move(code);
  advice.words = std::move(words);
  advice.cause = "not determined";
  const auto* fact = fact_of_code(advice.code, path);
  if (fact == nullptr) return advice;
  const auto* parameter = fact->help.own_protocol ? fact_of(path) : nullptr;
  advice.cause = fact->cause;
  advice.meaning = fact->meaning;
  advice.remedy = fact->remedy;
  advice.protocol = parameter != nullptr ? parameter->protocol : fact->help.protocol;
  advice.device = fact->help.device;
  return advice;
}

}  // namespace tactelier
