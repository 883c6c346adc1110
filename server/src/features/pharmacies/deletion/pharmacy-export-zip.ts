import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { spreadsheetText } from '../../../platform/csv.ts'
import type { ExportFile, ExportRow, ExportTable, Snapshot } from './pharmacy-export-rows.store.ts'

/** Higher levels save little and take three times as long. */
const COMPRESSION = 3

type Part = string | Uint8Array

/** A part of the zip: its path, its content, and the number of rows it has. */
type Entry = { path: string; parts: AsyncIterable<Part>; rows?: number; isCompressed: boolean }

type Contents = {
  snapshot: Snapshot
  /** Undefined when the file is missing. */
  open(file: ExportFile): Promise<AsyncIterable<Part> | undefined>
  /** Called after each batch of rows and each file. */
  onWritten(count: number): void
}

/** The number of rows and files that are written: the rows of a table are written twice. */
export function writtenCount({ tables, files }: Pick<Snapshot, 'tables' | 'files'>): number {
  return files.length + tables.reduce((sum, { rows }) => sum + 2 * rows, 0)
}

/**
 * A zip file in chunks: for each table a CSV and a JSON file, the files, and `manifest.json` with the number of rows,
 * the bytes and the SHA-256 of each. Entries are read one after the other, as fast as the chunks are taken.
 */
export async function* exportZip(contents: Contents): AsyncGenerator<Uint8Array> {
  const { snapshot, open, onWritten } = contents
  const manifest: { path: string; rows?: number; bytes: number; sha256: string }[] = []
  const missing: string[] = []

  async function* measured({ path, parts, rows }: Entry): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const part of parts) {
      const chunk = Buffer.from(part)
      hash.update(chunk)
      bytes += chunk.byteLength
      yield chunk
    }
    manifest.push({ path, ...(rows !== undefined && { rows }), bytes, sha256: hash.digest('hex') })
  }

  async function* fileParts(file: ExportFile): AsyncGenerator<Part> {
    const parts = await open(file)
    if (parts) yield* parts
    else missing.push(file.path)
    onWritten(1)
  }

  async function* counted(table: ExportTable): AsyncGenerator<ExportRow[]> {
    for await (const batch of snapshot.read(table.name)) {
      yield batch
      onWritten(batch.length)
    }
  }

  // Evaluated when it is read, after all others.
  async function* manifestParts(): AsyncGenerator<Part> {
    yield JSON.stringify({ format: 1, missing, entries: manifest }, null, 2)
  }

  const entries: Entry[] = [
    ...snapshot.tables.flatMap((table) => [
      {
        path: `dati/${table.name}.csv`,
        parts: csvParts(table, counted(table)),
        rows: table.rows,
        isCompressed: true,
      },
      {
        path: `dati/${table.name}.json`,
        parts: jsonParts(counted(table)),
        rows: table.rows,
        isCompressed: true,
      },
    ]),
    ...snapshot.files.map((file) => ({
      path: file.path,
      parts: fileParts(file),
      isCompressed: false,
    })),
  ]

  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  let current: Readable | undefined
  function add(path: string, parts: AsyncIterable<Part>, compress: boolean) {
    const options = compress ? { compressionLevel: COMPRESSION } : { compress }
    // Each stream is created when the one before has ended: there may be a hundred thousand.
    zip.addReadStreamLazy(path, options, (begin) => {
      current = Readable.from(parts, { objectMode: false })
      // The library handles neither the errors of streams nor their cleanup.
      current.on('error', (error) => output.destroy(error))
      begin(null, current)
    })
  }
  for (const entry of entries) add(entry.path, measured(entry), entry.isCompressed)
  add('manifest.json', manifestParts(), true)
  zip.end()
  try {
    for await (const chunk of output) yield chunk
  } finally {
    current?.destroy()
  }
}

/** For the Italian version of Excel, like the exports of orders. */
async function* csvParts(
  { columns }: ExportTable,
  batches: AsyncIterable<ExportRow[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const options = { delimiter: ';', record_delimiter: 'windows' } as const
  // Quoted: Excel takes a file that begins with the letters ID for a SYLK file.
  yield stringify([columns], { ...options, bom: true, quoted: true })
  for await (const batch of batches) {
    yield stringify(
      batch.map((row) => columns.map((column) => cell(row[column]))),
      options,
    )
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return spreadsheetText(typeof value === 'string' ? value : JSON.stringify(value))
}

async function* jsonParts(batches: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const batch of batches) {
    for (const row of batch) {
      yield before + JSON.stringify(row)
      before = ',\n'
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
