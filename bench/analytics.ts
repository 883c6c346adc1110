import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { prepareFigures } from './analytics-figures.ts'
import { benchAnalyticsPage } from './analytics-page.ts'
import { appSecret, benchDatabase } from './database.ts'
import { startProcess } from './server-process.ts'

/** Pharmacies with a year of figures, at least 20. */
const pharmacyCount = Number(process.argv[2] ?? 30)

const say = (line: string) => process.stdout.write(`${line}\n`)
const missed: string[] = []

say(`Preparing the figures of ${pharmacyCount} pharmacies…`)
const database = await benchDatabase(pharmacyCount, 0)
const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-analytics-'))
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
try {
  const shown = await prepareFigures(database)
  const served = await startProcess(['dist/server/main.js'], 3921, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
  })
  try {
    await benchAnalyticsPage({ served, pool, shown, say, missed })
    say(`Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
  } finally {
    await served.stop()
  }
} finally {
  await pool.end()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}
if (missed.length > 0) {
  say(`Missed: ${missed.join(', ')}`)
  process.exitCode = 1
}
