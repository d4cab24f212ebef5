#pragma once
// What the paths of a sensor model are called in the window.

#include <QString>
#include <string>
#include <string_view>

namespace tactelier::gui {

struct ParameterWords {
  QString name;     // "gain", "k_punch"
  QString meaning;  // one sentence
};
/// By path, "response.tactels[3].press_gain" or "response.tactels[].press_gain"; unknown ones are
/// called by the last part.
ParameterWords parameterWords(const std::string& path);

/// "Response", "Stiffness", "Friction, whole contact".
QString groupWords(const std::string& group);
/// Short, for lists: "Contact, rig"; unknown stages by their id.
QString stageWords(std::string_view stage);
/// What is done in a protocol: "P4: a flat plate over the array, seven loads (record --protocol
/// p4)"; "" for unknown ones.
QString protocolWords(const std::string& protocol);

}  // namespace tactelier::gui
