#include "fitting/engine/stage.hpp"
