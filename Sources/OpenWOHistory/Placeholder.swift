// OpenWOHistory
