import type { OrderRecord } from '@bancone/contract/orders'
import { excelCsv, spreadsheetText, telephone } from '../../../platform/csv.ts'
import { type Column, cellText, columns, NO_TIME } from './order-columns.ts'
import { romeTime } from './rome-time.ts'

/** A CSV file for the Italian version of Excel. Yields chunks. */
export async function* csvFile(
  batches: AsyncIterable<readonly OrderRecord[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  // Quoted: Excel takes a file that begins with the letters ID for a SYLK file.
  const labels = columns.map(({ label }) => label)
  yield stringify([labels], { ...excelCsv, bom: true, quoted: true })
  for await (const orders of batches) {
    const rows = orders.map((order) => columns.map((column) => cell(column, order)))
    if (rows.length > 0) yield stringify(rows, excelCsv)
  }
}

function cell(column: Column, order: OrderRecord): string {
  const value = column.of(order)
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (column.kind === 'time') return dayAndTime(value)
  const text = cellText(value)
  return column.kind === 'phone' ? telephone(text) : spreadsheetText(text)
}

function dayAndTime(time: string): string {
  const wall = romeTime(time)
  if (wall === null) return NO_TIME
  const [day = '', clock = ''] = new Date(wall).toISOString().split('T')
  return `${day.split('-').toReversed().join('/')} ${clock.slice(0, 5)}`
}
