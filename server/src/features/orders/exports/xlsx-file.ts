import { Readable } from 'node:stream'
import type { OrderRecord } from '@bancone/contract/orders'
import { BATCH_SIZE, type IdBatch } from './order-export-rows.store.ts'
import { sheetPath, workbookParts } from './xlsx-parts.ts'
import { xlsxSheet } from './xlsx-sheet.ts'

/** Higher levels save little and take three times as long. */
const COMPRESSION = 3

/** Maximum number of rows of a sheet in Excel; the first one contains the labels. */
const MAX_ROWS = 1_048_576

/** The batches of each sheet. There is at least one sheet, and more if the orders do not fit. */
export function sheetsOf(batches: readonly IdBatch[], most = MAX_ROWS): IdBatch[][] {
  const each = Math.floor((most - 1) / BATCH_SIZE)
  const sheets = Math.max(1, Math.ceil(batches.length / each))
  return Array.from({ length: sheets }, (_, n) => batches.slice(n * each, (n + 1) * each))
}

/**
 * A workbook in chunks. Orders are read no faster than the client downloads.
 *
 * @param sheets the orders of each sheet
 */
export async function* xlsxFile(
  sheets: readonly AsyncIterable<readonly OrderRecord[]>[],
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  const streams = sheets.map((batches) => Readable.from(xlsxSheet(batches), { objectMode: false }))
  // The library handles neither their errors nor their cleanup.
  for (const stream of streams) stream.on('error', (error) => output.destroy(error))
  const options = { compressionLevel: COMPRESSION }
  for (const [path, xml] of Object.entries(workbookParts(sheets.length))) {
    zip.addBuffer(Buffer.from(xml), path, options)
  }
  for (const [index, stream] of streams.entries()) {
    zip.addReadStream(stream, sheetPath(index + 1), options)
  }
  zip.end()
  try {
    for await (const part of output) yield part
  } finally {
    for (const stream of streams) stream.destroy()
  }
}
