// OpenWOFiles
