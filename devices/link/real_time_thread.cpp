#include "devices/link/real_time_thread.hpp"

#include <pthread.h>
#include <sched.h>

namespace tactelier::devices {

bool make_real_time(int priority) {
  const sched_param wish{priority};
  return ::pthread_setschedparam(::pthread_self(), SCHED_RR, &wish) == 0;
}

}  // namespace tactelier::devices
