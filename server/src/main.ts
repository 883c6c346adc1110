import { setFlagsFromString } from 'node:v8'
import { readConfig } from './config.ts'
import { startServer } from './server.ts'
import { StartupError } from './startup-error.ts'

// Of what a busy server leaves behind V8 keeps twice what is alive before it cleans up: this makes it tidy.
setFlagsFromString('--optimize-for-size')

/** Milliseconds: npm passes on a Ctrl-C that the terminal has sent to us as well. */
const SAME_SIGNAL = 1_000

/**
 * Starts the server from the environment and stops it in order on Ctrl-C, SIGTERM or the end of its
 * terminal, also while it starts. Asked again, it ends at once: the next start puts things in order.
 */
function main(): void {
  const asked = new AbortController()
  const starting = startServer(readConfig(process.env), fail, asked.signal)
  let askedAt = 0
  const stop = (signal: string) => {
    if (!asked.signal.aborted) {
      askedAt = Date.now()
      asked.abort()
      starting.then((server) => server.stop(signal)).then(() => process.exit(0), failUnlessAsked)
    } else if (Date.now() - askedAt > SAME_SIGNAL) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  const failUnlessAsked = (error: unknown) => {
    if (error === asked.signal.reason) process.exit(0)
    fail(error)
  }
  starting.catch(failUnlessAsked)
}

function fail(error: unknown): void {
  const unexpected = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${error instanceof StartupError ? error.message : unexpected}\n`)
  process.exit(1)
}

try {
  main()
} catch (error) {
  fail(error)
}
