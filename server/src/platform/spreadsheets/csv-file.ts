import { formatShortDay } from '@bancone/contract/dates'
import { excelCsv, spreadsheetText, telephone } from '../csv.ts'
import { romeTime } from '../rome-time.ts'
import { type Column, cellText, NO_TIME } from './columns.ts'

/** A CSV file for the Italian version of Excel. Yields chunks. */
export async function* csvFile<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  // Quoted: Excel takes a file that begins with the letters ID for a SYLK file.
  const labels = columns.map(({ label }) => label)
  yield stringify([labels], { ...excelCsv, bom: true, quoted: true })
  for await (const batch of batches) {
    const rows = batch.map((row) => columns.map((column) => cell(column, row)))
    if (rows.length > 0) yield stringify(rows, excelCsv)
  }
}

function cell<Row>(column: Column<Row>, row: Row): string {
  const value = column.of(row)
  if (value === undefined) return ''
  if (typeof value === 'number') {
    return column.kind === 'code' ? spreadsheetText(String(value)) : String(value)
  }
  if (column.kind === 'time') return dayAndTime(value)
  if (column.kind === 'day') return formatShortDay(value)
  const text = cellText(value)
  return column.kind === 'phone' ? telephone(text) : spreadsheetText(text)
}

function dayAndTime(time: string): string {
  const wall = romeTime(time)
  if (wall === null) return NO_TIME
  const [day = '', clock = ''] = new Date(wall).toISOString().split('T')
  return `${formatShortDay(day)} ${clock.slice(0, 5)}`
}
