import { Readable } from 'node:stream'
import type { OrderRecord } from '@bancone/contract/orders'
import { PORTION, type Portion } from './order-export-rows.store.ts'
import { sheetPath, workbookParts } from './xlsx-parts.ts'
import { xlsxSheet } from './xlsx-sheet.ts'

/** Texts like these get hardly smaller by more, and take three times as long. */
const COMPRESSION = 3

/** The rows a sheet of Excel may have, of which the first has the labels. */
const MOST_ROWS = 1_048_576

/** The portions of each sheet: of which there is one at least, and more if the orders are too many for it. */
export function sheetsOf(portions: readonly Portion[], most = MOST_ROWS): Portion[][] {
  const each = Math.floor((most - 1) / PORTION)
  const sheets = Math.max(1, Math.ceil(portions.length / each))
  return Array.from({ length: sheets }, (_, n) => portions.slice(n * each, (n + 1) * each))
}

/**
 * A workbook, part by part: no sheet of it is read faster than it is taken.
 *
 * @param sheets the orders of each
 */
export async function* xlsxFile(
  sheets: readonly AsyncIterable<readonly OrderRecord[]>[],
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  const streams = sheets.map((portions) =>
    Readable.from(xlsxSheet(portions), { objectMode: false }),
  )
  // The library looks after none of these.
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
