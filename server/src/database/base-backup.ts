import { PassThrough } from 'node:stream'
import pg from 'pg'
import { StartupError } from '../base/startup-error.ts'

/** A position in the write-ahead log, such as `0/3000028`, on a timeline. */
export type WalPosition = { lsn: string; timeline: number }

export type BaseBackup = {
  start: WalPosition
  end: WalPosition
  /** PostgreSQL's own manifest (JSON): every file with its size and SHA-256. */
  manifest: string
}

type Options = {
  signal?: AbortSignal | undefined
  /** Called with PostgreSQL's estimate of the size in bytes. */
  onSize?: ((bytes: number) => void) | undefined
}

/** 1 MiB between PostgreSQL and the reader. */
const BUFFERED = 1024 * 1024

/**
 * Copies all databases of a running PostgreSQL over the replication protocol (`BASE_BACKUP`), with the write-ahead log
 * that makes the copy consistent. Transactions go on meanwhile.
 *
 * @param url an account with REPLICATION
 * @param sink reads the copy, a tar archive, to its end
 * @throws StartupError when the account or the database cannot be backed up in this way; the error of `sink`
 */
export async function takeBaseBackup(
  url: string,
  sink: (archive: PassThrough) => Promise<unknown>,
  { signal, onSize }: Options = {},
): Promise<BaseBackup> {
  const client = await connectForReplication(url)
  const archive = new PassThrough({ highWaterMark: BUFFERED })
  // Both ends fail when one does; the first failure is the reason.
  const failed = new AbortController()
  failed.signal.addEventListener('abort', () => {
    archive.destroy(new Error('the base back-up failed'))
    client.end().catch(() => {})
  })
  const fail = (error: unknown) => failed.abort(error)
  const abort = () => fail(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    if (signal?.aborted) abort()
    const command = client.query(createCommand(archive, onSize))
    const [result] = await Promise.all([command.result.catch(fail), sink(archive).catch(fail)])
    if (failed.signal.aborted) throw asStartupError(failed.signal.reason)
    if (!result) throw new Error('the base back-up has no result')
    return result
  } finally {
    signal?.removeEventListener('abort', abort)
    await client.end().catch(() => {})
  }
}

/** @throws StartupError when the account may not replicate */
async function connectForReplication(url: string): Promise<pg.Client> {
  const address = new URL(url)
  address.searchParams.set('replication', 'true')
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: 10_000 })
  // The command is informed as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw asStartupError(error)
  }
}

type Connection = { query(text: string): void; stream: NodeJS.ReadableStream }
type Row = { fields: readonly unknown[] }

/** A query of `pg` with a response that it does not know: results, a copy and a last result. */
function createCommand(archive: PassThrough, onSize: Options['onSize']) {
  let settle: { resolve(result: BaseBackup): void; reject(error: unknown): void } | undefined
  const result = new Promise<BaseBackup>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const positions: WalPosition[] = []
  const manifest: Buffer[] = []
  let results = 0
  let archives = 0
  let isManifest = false

  return {
    result,
    submit(connection: Connection) {
      // No 'drain' comes after the end of the archive, or after a failure.
      archive.once('close', () => connection.stream.resume())
      connection.query(
        "BASE_BACKUP (LABEL 'bancone', CHECKPOINT 'fast', WAL true, PROGRESS true, " +
          "MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
      )
    },
    handleRowDescription() {
      results += 1
    },
    handleDataRow({ fields: [first, second, third] }: Row) {
      // The second result has a row for each tablespace: the id (null for the main one), the place, the size in kB.
      if (results !== 2) positions.push({ lsn: String(first), timeline: Number(second) })
      else if (first === null) onSize?.(Number(third) * 1024)
    },
    handleCommandComplete() {},
    handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection) {
      const kind = String.fromCharCode(chunk[0] ?? 0)
      if (kind === 'n') archives += 1
      else if (kind === 'm') {
        isManifest = true
        archive.end()
      } else if (kind === 'd') {
        // `pg` reuses the buffer.
        const content = Buffer.from(chunk.subarray(1))
        if (isManifest) manifest.push(content)
        // What was received before the pause still arrives here.
        else if (archives === 1 && !archive.write(content) && !stream.isPaused()) {
          stream.pause()
          archive.once('drain', () => stream.resume())
        }
      }
    },
    handleReadyForQuery() {
      const [start, end] = positions
      if (archives !== 1) {
        const why = 'The database has tablespaces of its own, which Bancone does not back up.'
        settle?.reject(new StartupError(why))
      } else if (!start || !end) settle?.reject(new Error('a base back-up without positions'))
      else settle?.resolve({ start, end, manifest: Buffer.concat(manifest).toString() })
    },
    handleError(error: unknown) {
      settle?.reject(error)
    },
    handlePortalSuspended() {},
    handleEmptyQuery() {},
    handleCopyInResponse() {},
  }
}

function asStartupError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code, message } = error
  // 42501: no REPLICATION; 28000: no such line in pg_hba.conf.
  if (code !== '42501' && code !== '28000') return error
  return new StartupError(
    `The account of DATABASE_URL may not copy the database (${message}): give it REPLICATION ` +
      '(alter role … replication), and pg_hba.conf a line for the database "replication".',
    { cause: error },
  )
}
