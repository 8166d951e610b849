import ArgumentParser
import OpenWO

/// The forms that data is exported in.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case json, csv, sql
}
