// Put before each C file of the guard when it becomes an extension: SQLite is then called through the program that loads it, which may
// have its own copy of SQLite.
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
