/** A reason not to start that a person can act on: printed as one line, exit code 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
