#pragma once
// Looks at a table from elsewhere and proposes the map that import needs: delimiter, what each
// column is and in which unit, how the rows were sampled, where presses and holds are. What no
// table says (the indenter, the distance between tactels, the certificate) is asked, never made up.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// What a user knows besides the table.
struct GuessAnswers {
  std::string sensor = {};                    // name of a shipped description
  std::string layout = {};                    // "14x6": rows x columns of tactels
  std::string pitch = {};                     // "3.4" or "3.4x4.2", mm
  std::string indenter = {};                  // "cylinder 5", "sphere 6", "plate": mm
  std::string weights = {};                   // "0,100,200,0": g, put on one after the other
  std::string columns = {};                   // "t_s,load,s1": where the table names none
  std::string load_cell = {};                 // "8322237=0,8341540=50 g": a force in counts
  std::string rate = {};                      // "100": rows per second, where no column is a time
  std::string load = {};                      // "20 N", "2 kg": in all rows
  std::string rest = {};                      // "512" or "512,508": counts of unloaded tactels
  std::optional<double> gain_u_percent = {};  // of the force sensor's certificate
};

struct GuessedColumn {
  std::string name;
  std::string target;  // as in a map
  std::string unit;
  std::string why;
  std::vector<double> first = {};  // of its first rows, at most kFirstRows; NaN: no number

  static constexpr std::size_t kFirstRows = 6;
};

/// A question that the table can't answer.
struct GuessQuestion {
  std::string key;  // the member of GuessAnswers, and the option without its dashes
  std::string text;
  std::string otherwise;  // what holds without an answer
};

/// Puts a user's words into the member that a question is about. Fails with kUsage on what is no
/// number where one is asked for; the rest is judged by guess_map().
Result<void> take_answer(std::string_view key, const std::string& words, GuessAnswers& answers);

struct GuessedMap {
  std::string text;  // of the map file
  std::vector<GuessedColumn> columns;
  std::vector<std::string> understood;  // sentences
  std::vector<GuessQuestion> questions;
};

/// `source`: a table, or a folder of tables that are alike (its first one is looked at). Fails with
/// kInvalidInput on what no map could read (no rows of numbers), and on answers that make no
/// sense.
Result<GuessedMap> guess_map(const std::filesystem::path& source, const GuessAnswers& answers,
                             const Job& job);

}  // namespace tactelier
