// The system's zlib, which every Linux has at run time and macOS has in its SDK.
#include <zlib.h>
