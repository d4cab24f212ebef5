#pragma once
// Which reason codes the sources raise: read from their string literals, so that a code that
// somebody adds without a row is found wherever it is raised.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace tactelier::sources {

struct RaisedCode {
  std::string place;     // the last file that raises it
  bool refuses = false;  // "CODE words" in one literal: the reason of a refusal
};
using RaisedCodes = std::map<std::string, RaisedCode>;

struct Literal {
  std::string text;
  std::string before;  // the last characters of code before it, spaces left out
};

/// String literals of C++ code, without comments and character literals.
inline std::vector<Literal> literals_of(const std::string& code) {
  std::vector<Literal> found;
  std::string before;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.compare(i, 2, "//") == 0) {
      i = std::min(code.find('\n', i), code.size());
    } else if (code.compare(i, 2, "/*") == 0) {
      i = std::min(code.find("*/", i), code.size() - 2) + 1;
    } else if (code.compare(i, 3, "R\"(") == 0) {
      i = std::min(code.find(")\"", i), code.size() - 2) + 1;
    } else if (code[i] == '\'' &&
               (before.empty() || !std::isalnum(static_cast<unsigned char>(before.back())))) {
      while (++i < code.size() && code[i] != '\'') i += code[i] == '\\' ? 1 : 0;
    } else if (code[i] == '"') {
      std::string text;
      while (++i < code.size() && code[i] != '"') {
        if (code[i] == '\\') ++i;
        text += code[i];
      }
      found.push_back(
          {text, before.substr(before.size() - std::min<std::size_t>(before.size(), 8))});
      before += '"';
    } else if (!std::isspace(static_cast<unsigned char>(code[i]))) {
      before += code[i];
    }
  }
  return found;
}

/// What looks like a code and is none: SQL, and names of other things.
inline bool is_no_code(const std::string& word) {
  static const std::set<std::string> kWords{"BEGIN", "SELECT",   "UPDATE",   "PRAGMA", "JSON",
                                            "NUL",   "SET-UP",   "TRUTH",    "ATI",    "CAN",
                                            "CPU",   "GET",      "HTTP",     "RDT",    "WTS",
                                            "UTF-8", "UTF-16LE", "UTF-16BE", "SHA-256"};
  return kWords.contains(word);
}

/// {"SPIKES", ...}, doubt("GAP", ...)
inline bool begins_warning(const Literal& literal) {
  return literal.before.ends_with('{') || literal.before.ends_with("doubt(");
}

/// {"open-press", ...}, tell(warnings, "force-sign", ...)
inline bool begins_import_warning(const std::string& place, const Literal& literal) {
  static const std::regex code("^[a-z]+(-[a-z]+)+$");
  const bool first = literal.before.ends_with('{') || literal.before.ends_with("arnings,");
  return first && place.starts_with("libcalib/import/") && std::regex_match(literal.text, code);
}

/// A code has a dash ("RS-06", "NOT-FITTED"); or is a word in capitals before a sentence
/// ("STUCK Tactel 3 ...") or first in a warning ("SPIKES"). Imports warn in small letters.
inline void note_codes(const std::string& place, const std::string& code, RaisedCodes& raised) {
  static const std::regex dashed("^([A-Z]{2,}(-[0-9A-Z]+)+)( .*)?$");
  static const std::regex sentence("^([A-Z]{3,}) ([A-Z]?[a-z{].*)$");
  static const std::regex word("^([A-Z]{3,})$");
  for (const auto& literal : literals_of(code)) {
    std::smatch match;
    if (literal.before.ends_with('"')) continue;  // the next line of a longer text
    if (std::regex_match(literal.text, match, dashed)) {
      auto& entry = raised[match[1]];
      entry.place = place;
      entry.refuses |= match[3].matched;
    } else if (std::regex_match(literal.text, match, sentence)) {
      raised[match[1]] = {place, true};
    } else if (begins_warning(literal) && std::regex_match(literal.text, match, word)) {
      raised[match[1]].place = place;
    } else if (begins_import_warning(place, literal)) {
      raised[literal.text].place = place;
    }
  }
  std::erase_if(raised, [](const auto& entry) { return is_no_code(entry.first); });
}

/// Of all sources of the folder, but not of the tables themselves.
inline RaisedCodes raised_codes(const std::filesystem::path& root, const std::string& folder) {
  RaisedCodes raised;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const auto name = entry.path().filename().string();
    const auto kind = entry.path().extension();
    if (name.ends_with("_facts.cpp") || (kind != ".cpp" && kind != ".hpp")) continue;
    std::ifstream file(entry.path());
    const std::string code(std::istreambuf_iterator<char>(file), {});
    note_codes(std::filesystem::relative(entry.path(), root).string(), code, raised);
  }
  return raised;
}

}  // namespace tactelier::sources
