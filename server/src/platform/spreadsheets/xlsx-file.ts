import { Readable } from 'node:stream'
import type { Column } from './columns.ts'
import { sheetPath, workbookParts } from './xlsx-parts.ts'
import { xlsxSheet } from './xlsx-sheet.ts'

/** Higher levels save little and take three times as long. */
const COMPRESSION = 3

/** Maximum number of rows of a sheet in Excel; the first one contains the labels. */
export const MAX_ROWS = 1_048_576

/**
 * A workbook in chunks. Rows are read no faster than the client downloads.
 *
 * @param name that of the first sheet; further ones have a number after it
 * @param sheets the rows of each sheet, in batches
 */
export async function* xlsxFile<Row>(
  name: string,
  columns: readonly Column<Row>[],
  sheets: readonly AsyncIterable<readonly Row[]>[],
): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream, { objectMode: false })
  const streams = sheets.map((batches) =>
    Readable.from(xlsxSheet(columns, batches), { objectMode: false }),
  )
  // The library handles neither their errors nor their cleanup.
  for (const stream of streams) stream.on('error', (error) => output.destroy(error))
  const options = { compressionLevel: COMPRESSION }
  for (const [path, xml] of Object.entries(workbookParts(name, sheets.length))) {
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
