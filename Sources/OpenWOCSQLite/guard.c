#include "OpenWOCSQLite.h"
