import OpenWOCFiles

/// Runs a shell command on our terminal, hands it a text, and waits for its end; ^C and ^\ are its own affair meanwhile.
///
/// Answers whether there was such a program. What it does not read of the text is left.
package func runShell(_ command: String, input: [UInt8]) -> Bool {
  let status = input.withUnsafeBytes { openwo_run_shell(command, $0.baseAddress, $0.count) }
  return status != -1 && openwo_exit_status(status) != 127
}
