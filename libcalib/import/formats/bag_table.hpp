#pragma once
// Recorded messages of several topics, each at its own times, as one table: a row for each time,
// and an empty cell where a topic said nothing then.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/import/formats/array_file.hpp"
#include "libcalib/import/formats/ros_message.hpp"

namespace tactelier {

/// A topic as the bag describes it.
struct BagTopic {
  std::string name;      // "/ft_sensor/wrench"
  std::string type;      // "geometry_msgs/Wrench"
  std::string encoding;  // "cdr", "ros1", "json"
  RosTypes types;        // not of json
  std::string problem;   // why none of its messages can be read; "" when they can
  std::map<std::string, std::string> units;  // of json: by member, where its schema says one
};

class BagTable {
 public:
  /// Topics of ROS itself and those that hold nothing of a press are left out, with a word.
  std::size_t add_topic(BagTopic topic);
  /// What can't be read is counted and told, no failure.
  void add_message(std::size_t topic, std::int64_t received_ns, std::string_view bytes);
  /// Times are those of the messages' headers where they have one that agrees with the time of
  /// receipt within a minute, else that; in seconds since the first. Fails with kInvalidInput when
  /// nothing is left.
  Result<ArrayFile> finish(const std::string& name);

 private:
  struct Topic {
    BagTopic of;
    bool stamped = true;  // all messages so far
    std::vector<std::string> columns;
    std::vector<std::int64_t> received_ns, stamp_ns;
    std::vector<double> values;  // row by row
    std::size_t messages = 0, unread = 0;
    std::string why;  // of the first that could not be read
  };
  void take(Topic& topic, std::int64_t received_ns, RosNumbers numbers);
  std::vector<std::string> told() const;
  std::vector<std::vector<std::string>> column_names() const;

  std::vector<Topic> topics_;
};

}  // namespace tactelier
