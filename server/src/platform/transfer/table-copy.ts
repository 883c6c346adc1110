import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { BackupError } from '../backups/backup-error.ts'
import type { BackupStore } from '../backups/backup-store.ts'
import type { Content } from './transfer-manifest.ts'

/** Changes the rows of a copy in the text format of PostgreSQL; see `changeRows`. */
export type ChangeRows = (rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/** How values are written as text, whatever the settings of the account and the database are. */
export const TEXT_SETTINGS = `
  set local client_encoding = 'UTF8'; set local timezone = 'UTC'; set local datestyle = 'ISO';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/** Counts and hashes what passes. The counts are complete when the stream has ended. */
function createMeter() {
  const hash = createHash('sha256')
  return {
    bytes: 0,
    async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        hash.update(chunk)
        this.bytes += chunk.byteLength
        yield chunk
      }
    },
    digest: () => hash.digest('hex'),
  }
}

/** Stores a stream under a name. @returns its SHA-256 */
export async function writeHashed(
  store: BackupStore,
  name: string,
  source: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<string> {
  const meter = createMeter()
  await store.write(name, meter.pass(source), signal ? { signal } : {})
  return meter.digest()
}

/** Hands a stored stream to `sink`. @throws BackupError `damaged` when its SHA-256 is another one */
export async function readHashed(
  store: BackupStore,
  name: string,
  sha256: string,
  sink: NodeJS.WritableStream | ((content: AsyncIterable<Buffer>) => Promise<unknown>),
  signal?: AbortSignal,
): Promise<void> {
  const meter = createMeter()
  await store.read(
    name,
    (content: AsyncIterable<Buffer>) =>
      typeof sink === 'function'
        ? sink(meter.pass(content))
        : pipeline(meter.pass(content), sink, ...(signal ? [{ signal }] : [])),
    signal,
  )
  if (meter.digest() !== sha256) {
    throw new BackupError('damaged', `The export is damaged: ${name} has another SHA-256.`)
  }
}

/** Stores the rows of a query. Its values have to be written as TEXT_SETTINGS say. */
export async function copyOut(
  client: pg.Client,
  store: BackupStore,
  name: string,
  query: string,
  { change, signal }: { change?: ChangeRows | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Content> {
  const rows = client.query(copyTo(`copy (${query}) to stdout`))
  const sha256 = await writeHashed(store, name, change ? change(rows) : rows, signal)
  return { rows: rows.rowCount, sha256 }
}

/**
 * Adds stored rows to a table.
 *
 * @param into the name of the table and its columns, as SQL
 * @throws BackupError `damaged` when rows or bytes differ: the transaction is not to be committed
 */
export async function copyIn(
  client: pg.Client,
  store: BackupStore,
  name: string,
  content: Content,
  into: string,
  { change, signal }: { change?: ChangeRows | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const rows = client.query(copyFrom(`copy ${into} from stdin`))
  const sink = (source: AsyncIterable<Buffer>) =>
    pipeline(change ? change(source) : source, rows, ...(signal ? [{ signal }] : []))
  await readHashed(store, name, content.sha256, sink, signal)
  if (rows.rowCount === content.rows) return
  throw new BackupError(
    'damaged',
    `The export is damaged: ${name} has ${rows.rowCount} rows instead of ${content.rows}.`,
  )
}
