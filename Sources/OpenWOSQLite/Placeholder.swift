// OpenWOSQLite
