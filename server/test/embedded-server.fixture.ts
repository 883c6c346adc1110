import { startEmbedded } from '../src/database/embedded.ts'

// Starts the database, prints one line, and waits to be killed by a test.

const dataDir = process.argv[2] ?? ''
const log = { debug() {}, info() {}, warn() {}, error() {} }

try {
  const database = await startEmbedded({
    dataDir,
    log,
    onLost: (error) => say({ lost: error.message }),
    settings: { fsync: 'off' },
  })
  process.once('SIGTERM', () => {
    void database.stop().then(() => process.exit(0))
  })
  say({ url: database.url })
} catch (error) {
  say({ refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  process.exit(1)
}

function say(words: Record<string, string>): void {
  process.stdout.write(`${JSON.stringify(words)}\n`)
}
