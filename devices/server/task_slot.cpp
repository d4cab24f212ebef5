#include "devices/server/task_slot.hpp"

#include <utility>

namespace tactelier::rig {

Result<int> TaskSlot::begin(messages::TaskKind kind, const nlohmann::json& request, int client,
                            const Tell& tell, const std::function<void()>& accepted) {
  const std::lock_guard lock(mutex_);
  if (running_ || waiting_)
    return fail(ErrorCode::kUsage, "the rig is busy with '{}'; wait, or stop it first",
                to_string((running_ ? *running_ : *waiting_).kind));
  waiting_ = AskedTask{++tasks_, client, kind, request, tell};
  cancel_ = std::stop_source();
  accepted();
  wake_.notify_all();
  return tasks_;
}

void TaskSlot::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.request_stop();
}

void TaskSlot::cancel_jog() {
  const std::lock_guard lock(mutex_);
  const auto& task = running_ ? running_ : waiting_;
  if (task && task->kind == messages::TaskKind::kJog) cancel_.request_stop();
}

void TaskSlot::left(int client, const std::function<void()>& gone) {
  const std::lock_guard lock(mutex_);
  if (waiting_ && waiting_->client == client) waiting_.reset();
  if (!running_ || running_->client != client) return;
  running_->tell = nullptr;
  gone();
}

bool TaskSlot::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

std::optional<messages::TaskKind> TaskSlot::running() const {
  const std::lock_guard lock(mutex_);
  return running_ ? std::optional(running_->kind) : std::nullopt;
}

std::optional<messages::TaskKind> TaskSlot::asked() const {
  const std::lock_guard lock(mutex_);
  const auto& task = running_ ? running_ : waiting_;
  return task ? std::optional(task->kind) : std::nullopt;
}

std::optional<AskedTask> TaskSlot::next() {
  const std::lock_guard lock(mutex_);
  if (waiting_) running_ = std::exchange(waiting_, std::nullopt);
  return running_;
}

std::stop_token TaskSlot::stop_token() const {
  const std::lock_guard lock(mutex_);
  return cancel_.get_token();
}

void TaskSlot::while_client_listens(const std::function<void()>& listens) const {
  const std::lock_guard lock(mutex_);
  if (running_ && running_->tell) listens();
}

void TaskSlot::wait(const std::stop_token& stop, devices::Timeout timeout) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stop, timeout, [&] { return waiting_.has_value(); });
}

void TaskSlot::news(const messages::News& news) const {
  Tell tell;
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!running_) return;
    tell = running_->tell;
    number = running_->number;
  }
  if (tell) tell(to_json(news, number));
}

void TaskSlot::ended(const messages::End& end) {
  std::optional<AskedTask> over;
  {
    const std::lock_guard lock(mutex_);
    over = std::exchange(running_, std::nullopt);
  }
  if (over && over->tell) over->tell(to_json(end, over->number));
}

}  // namespace tactelier::rig
