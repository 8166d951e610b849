import OpenWOHistory
import Testing
