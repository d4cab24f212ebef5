#include "fitting/stage.hpp"
