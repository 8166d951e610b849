import OpenWOCFiles

/// Runs a shell command on our terminal with a text as input, and waits for its end; ^C and ^\ are
/// for the command meanwhile.
///
/// Returns whether there was such a program. Input that it does not read is ignored.
package func runShell(_ command: String, input: [UInt8]) -> Bool {
  let status = input.withUnsafeBytes { openwo_run_shell(command, $0.baseAddress, $0.count) }
  return status != -1 && openwo_exit_status(status) != 127
}
