import { Readable } from 'node:stream'
import { romeTime } from '../rome-time.ts'
import { type Column, cellText, NO_TIME } from './columns.ts'
import { letter, sheetEnd, sheetPath, sheetStart, styles, workbookParts } from './xlsx-parts.ts'

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

const DAY_MS = 24 * 60 * 60_000

/** 1 January 1970 as a date serial number of Excel. */
const DAY_OF_1970 = 25_569

/** A sheet in chunks. Texts are inline strings, which Excel does not evaluate. */
async function* xlsxSheet<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const labels = columns.map(({ label }, index) => textCell(place(index, 1), label, styles.label))
  yield `${sheetStart(columns)}<row r="1">${labels.join('')}</row>`
  let rows = 1
  for await (const batch of batches) {
    let xml = ''
    for (const row of batch) {
      rows += 1
      const cells = columns.map((column, index) => cell(column, row, place(index, rows)))
      xml += `<row r="${rows}">${cells.join('')}</row>`
    }
    if (xml !== '') yield xml
  }
  yield sheetEnd(columns.length, rows)
}

function place(index: number, row: number): string {
  return `${letter(index)}${row}`
}

function cell<Row>(column: Column<Row>, row: Row, at: string): string {
  const value = column.of(row)
  if (value === undefined || value === '') return ''
  if (typeof value === 'number') return numberCell(at, value, styles.number)
  if (column.kind === 'time') {
    const days = daysOf(value)
    return days === null ? textCell(at, NO_TIME) : numberCell(at, days, styles.time)
  }
  if (column.kind === 'day') {
    return numberCell(at, Date.parse(value) / DAY_MS + DAY_OF_1970, styles.day)
  }
  const isText = column.kind === 'text'
  return isText ? textCell(at, value) : textCell(at, value, styles.code)
}

/** @returns null for a time that Excel cannot represent */
function daysOf(time: string): number | null {
  const wall = romeTime(time)
  const days = wall === null ? 0 : wall / DAY_MS + DAY_OF_1970
  return days >= 1 ? days : null
}

function numberCell(at: string, value: number, style: number): string {
  return `<c r="${at}" s="${style}"><v>${value}</v></c>`
}

function textCell(at: string, text: string, style = 0): string {
  const styled = style > 0 ? ` s="${style}"` : ''
  return `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Also escapes what Excel would take for an escape sequence, as in `_x0041_`. */
function escaped(text: string): string {
  return cellText(text)
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign)
}
