import { setFlagsFromString } from 'node:v8'
import { StartupError } from './base/startup-error.ts'
import { readConfig } from './config/config.ts'

// By default V8 lets the heap grow to several times the live data before it collects garbage. This halves the memory use
// under load for a tenth of the processor time; `--optimize-for-size` saves another 10 MB for half of it.
setFlagsFromString('--heap-growing-percent=30')

// Node has `navigator` since version 21. Without it pg looks for a global `Response`, which loads Node's `fetch`: 10 MB.
if (!('navigator' in globalThis))
  Object.assign(globalThis, { navigator: { userAgent: `Node.js/${process.versions.node}` } })

/** Signals within so many milliseconds count as one: npm forwards a Ctrl-C that the terminal also sent directly. */
const SAME_SIGNAL_MS = 1_000

/**
 * After DRAIN_SECONDS and this the process ends even if something does not close,
 * before a supervisor kills it without its database.
 */
const STOP_MS = 25_000

/**
 * Starts the server and shuts it down gracefully on SIGINT, SIGTERM or SIGHUP, also during the start. A second signal
 * ends the process at once; the next start cleans up.
 */
function main(): void {
  const stopping = new AbortController()
  const config = readConfig(process.env)
  const starting = import('./start/server.ts').then(({ startServer }) =>
    startServer(config, fail, stopping.signal),
  )
  let stoppedAt = 0
  const stop = (signal: string) => {
    if (!stopping.signal.aborted) {
      stoppedAt = Date.now()
      stopping.abort()
      const stopMs = config.drainSeconds * 1_000 + STOP_MS
      setTimeout(
        () => fail(`Not everything has ended within ${stopMs / 1_000} seconds.`),
        stopMs,
      ).unref()
      starting.then((server) => server.stop(signal)).then(() => process.exit(0), failUnlessStopping)
    } else if (Date.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  const failUnlessStopping = (error: unknown) => {
    if (error === stopping.signal.reason) process.exit(0)
    fail(error)
  }
  starting.catch(failUnlessStopping)
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
