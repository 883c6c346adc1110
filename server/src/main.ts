import { readConfig } from './config.ts'
import { startServer } from './server.ts'
import { StartupError } from './startup-error.ts'

/** Starts the server from the environment and stops it in order on Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const server = await startServer(config, fail)
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    server.stop(signal).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
}

function fail(error: unknown): void {
  const unexpected = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${error instanceof StartupError ? error.message : unexpected}\n`)
  process.exit(1)
}

main().catch(fail)
