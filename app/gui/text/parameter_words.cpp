#include "app/gui/text/parameter_words.hpp"

#include <QCoreApplication>

#include "app/gui/text/message.hpp"
#include "fitting/engine/facts.hpp"
#include "reports/protocol_guide.hpp"

namespace tactelier::gui {
namespace {

/// The facts are literals, so their ends are marked.
QString say(std::string_view words) {
  return QCoreApplication::translate("Parameters", words.data());
}

/// " 2" for one of a list of numbers; which tactel it is says the place where it is shown.
QString number(const std::string& path) {
  const auto open = path.rfind('[');
  if (!path.ends_with(']') || path.starts_with("stiffness.k_punch_tactel[")) return {};
  const auto index = path.substr(open + 1, path.size() - open - 2);
  return index.empty() ? QString() : QStringLiteral(" ") + text(index);
}

}  // namespace

ParameterWords parameterWords(const std::string& path) {
  if (const auto* fact = fact_of(path))
    return {say(fact->label) + number(path), say(fact->meaning)};
  const auto last = path.substr(path.rfind('.') + 1);
  return {text(last.substr(0, last.find('['))) + number(path), {}};
}

QString groupWords(const std::string& group) {
  const auto* fact = group_of(group);
  return fact != nullptr ? say(fact->label) : text(group);
}

QString stageWords(std::string_view stage) {
  const auto* facts = facts_of_stage(stage);
  return facts != nullptr ? say(facts->label) : text(stage);
}

QString protocolWords(const std::string& protocol) {
  return protocol_words(protocol).empty() ? QString() : text(record_words(protocol));
}

}  // namespace tactelier::gui
