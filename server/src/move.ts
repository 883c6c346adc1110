import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { command, interruption } from './command.ts'
import { type Config, readConfig } from './config.ts'
import { openDatabase } from './database/open.ts'
import { createLogger } from './logger.ts'
import { StartupError } from './startup-error.ts'
import { createTransferLine, secretOfServer, withStores } from './transfer-command.ts'
import { moveBetween, type TransferredServer } from './wiring-transfer.ts'

const usage =
  'npm run move -- --pharmacy ID|CODE --to FILE  (FILE: the settings of the other server, NAME=value a line)'

/** The command `npm run move`: moves a pharmacy that works to another server, while both run. */
await command(async (config) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, pharmacy: { type: 'string' } },
  })
  const { to, pharmacy } = values
  if (!to || !pharmacy) throw new StartupError(usage)
  const other = await readSettings(resolve(to))
  const line = createTransferLine()
  try {
    const options = { signal: interruption(), onProgress: line.onProgress }
    const { code, rows, pausedMs, late } = await withServer(config, (from) =>
      withServer(other, (into) =>
        moveBetween(from, { ...into, publicUrl: other.publicUrl }, pharmacy, options),
      ),
    )
    line.end()
    const pause =
      pausedMs === null
        ? 'It was inactive, and still is.'
        : `It paused for ${(pausedMs / 1_000).toFixed(1)} seconds, and works there. Here it is inactive.`
    const left =
      late.length === 0
        ? ''
        : `\nSomething was still written here afterwards, and has stayed behind: look into ${late.join(', ')}.`
    return `Moved the pharmacy ${code}: ${rows} rows. ${pause}${left}`
  } finally {
    line.end()
  }
})

async function readSettings(file: string): Promise<Config> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartupError(`The settings of the other server cannot be read from ${file}.`, {
      cause,
    })
  })
  return readConfig(parseEnv(text))
}

async function withServer<T>(
  config: Config,
  work: (server: TransferredServer) => Promise<T>,
): Promise<T> {
  const appSecret = await secretOfServer(config)
  const fail = (error: Error) => {
    throw error
  }
  const database = await openDatabase(config, createLogger('warn'), fail, { join: true })
  try {
    return await withStores(config, (stores) =>
      work({ url: database.url, appSecret, dataDir: config.dataDir, stores }),
    )
  } finally {
    await database.close()
  }
}
