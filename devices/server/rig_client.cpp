#include "devices/server/rig_client.hpp"

namespace tactelier::rig {
namespace {

using devices::Timeout;
using nlohmann::json;

constexpr Timeout kReply{10000};
constexpr Timeout kNews{200};
constexpr Timeout kMeanwhile{50};

}  // namespace

Result<RigClient> RigClient::connect(const std::filesystem::path& socket) {
  return connect_socket(socket).map(
      [](devices::Descriptor descriptor) { return RigClient(std::move(descriptor)); });
}

Result<json> RigClient::ask(const json& request) {
  if (auto sent = lines_->write(request); !sent) return fail(sent.error());
  while (true) {
    auto reply = lines_->read(kReply);
    if (!reply) return reply;
    if (messages::is_news(*reply)) {
      kept_.push_back(std::move(*reply));
      continue;
    }
    if (const auto error = messages::error_in(*reply)) return fail(*error);
    return reply->contains("result") ? (*reply)["result"] : *reply;
  }
}

Result<messages::Status> RigClient::status() {
  return ask(messages::request("status")).map(messages::status_in);
}

Result<json> RigClient::next(Timeout timeout) {
  if (kept_.empty()) return lines_->read(timeout);
  auto news = std::move(kept_.front());
  kept_.pop_front();
  return news;
}

Result<void> RigClient::reply_to(const messages::Question& question, const Follow& follow) {
  if (!follow.on_question) return fail(ErrorCode::kUsage, "{}", question.text);
  const auto answer = follow.on_question(question);
  return lines_->write(answer ? messages::answer_request(*answer) : messages::request("cancel"));
}

Result<json> RigClient::follow(const json& request, const Follow& follow, Warnings& warnings) {
  const auto begun = ask(request);
  if (!begun) return begun;
  const int task = messages::task_in(*begun);
  bool cancelled = false;
  while (true) {
    if (!cancelled && follow.stopped && follow.stopped()) {
      cancelled = true;
      if (auto told = lines_->write(messages::request("cancel")); !told) return fail(told.error());
    }
    if (follow.meanwhile) follow.meanwhile(*this);
    const auto line = next(follow.meanwhile ? kMeanwhile : kNews);
    if (!line && line.error().code == ErrorCode::kTimeout) continue;
    if (!line) return fail(line.error());
    if (messages::task_in(*line) != task) continue;  // an answer, or an earlier task's end
    const auto news = messages::news_in(*line);
    if (!news) continue;
    if (const auto* progress = std::get_if<messages::Progress>(&*news))
      if (follow.on_progress) follow.on_progress(*progress);
    if (const auto* question = std::get_if<messages::Question>(&*news))
      if (auto replied = reply_to(*question, follow); !replied) return fail(replied.error());
    if (const auto* wanting = std::get_if<messages::Wanting>(&*news))
      if (follow.on_wanting) follow.on_wanting(*wanting);
    if (const auto* end = std::get_if<messages::End>(&*news)) {
      warnings.insert(warnings.end(), end->warnings.begin(), end->warnings.end());
      if (end->error) return fail(*end->error);
      return end->result.is_null() ? json::object() : end->result;
    }
  }
}

}  // namespace tactelier::rig
