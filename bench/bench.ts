import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { BenchDatabase } from './database.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

export type Report = {
  say(line: string): void
  /** How often the pages in the browser are measured. */
  runs: number
  /** The names of missed goals, and of those on a machine that was too noisy. */
  missed: string[]
  unsure: string[]
}

/** What a part of the benchmark has. Its servers, folder and connections end with it. */
export type Bench = Report & {
  database: BenchDatabase
  pool: pg.Pool
  /** The data folder of all servers of the part. */
  folder: string
  /** Starts a program of Node as a server. */
  start(args: string[], env: Record<string, string>): Promise<ServerProcess>
  /** Starts the built server on the database. */
  serve(env?: Record<string, string>): Promise<ServerProcess>
  /** Starts the reference on the same database. */
  serveBare(env?: Record<string, string>): Promise<ServerProcess>
}

export async function runPart(
  part: (bench: Bench) => Promise<void>,
  database: BenchDatabase,
  report: Report,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-bench-part-'))
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  const servers: ServerProcess[] = []
  const start = async (args: string[], env: Record<string, string>) => {
    const server = await startProcess(args, env)
    servers.push(server)
    return server
  }
  // The callers name their addresses.
  const ours = {
    DATA_DIR: folder,
    APP_SECRET: 'a secret of the benchmarks, long enough',
    TRUST_PROXY: '1',
  }
  const shared = { DATABASE_URL: database.url }
  try {
    await part({
      ...report,
      database,
      pool,
      folder,
      start,
      serve: (env) => start(['dist/server/main.js'], { ...shared, ...ours, ...env }),
      serveBare: (env) => start(['--import', 'tsx', 'bench/bare-server.ts'], { ...shared, ...env }),
    })
  } finally {
    for (const server of servers) await server.stop()
    await pool.end()
    await rm(folder, { recursive: true, force: true })
  }
}
