// OpenWO
