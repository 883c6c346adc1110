/** A failed start that the operator can fix. The message is printed as one line, and the exit code is 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
