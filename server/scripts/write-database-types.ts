import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../src/database/embedded.ts'
import { createLogger } from '../src/start/logger.ts'
import { prepareDatabase } from '../src/start/prepare-database.ts'
import { databaseTypes } from './database-types.ts'

/** `npm run db:types`: migrates a database of its own and writes down what its tables look like. */
const log = createLogger('warn')
const dataDir = await mkdtemp(join(tmpdir(), 'bancone-types-'))
const embedded = await startEmbedded({
  dataDir,
  log,
  onLost: (error) => {
    throw error
  },
})
try {
  await prepareDatabase(embedded.url, log, async () => {})
  const target = fileURLToPath(new URL('../src/database/schema.gen.ts', import.meta.url))
  await writeFile(target, await databaseTypes(embedded.url))
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
