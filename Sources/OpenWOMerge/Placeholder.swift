// OpenWOMerge
