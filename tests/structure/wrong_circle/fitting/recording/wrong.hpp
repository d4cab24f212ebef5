#pragma once
#include "fitting/response/response.hpp"
