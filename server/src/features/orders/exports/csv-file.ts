import type { OrderRecord } from '@bancone/contract/orders'
import { type Column, cellText, columns, NO_TIME } from './order-columns.ts'
import { romeTime } from './rome-time.ts'

/**
 * The orders as Italian Excel opens them: semicolons, for the comma is in its numbers; UTF-8 with its
 * mark, without which it takes the letters for others. Part by part.
 */
export async function* csvFile(
  portions: AsyncIterable<readonly OrderRecord[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const written = { delimiter: ';', record_delimiter: 'windows' }
  // In quotes: a file that begins with the letters ID is taken for one of another kind.
  const labels = columns.map(({ label }) => label)
  yield stringify([labels], { ...written, bom: true, quoted: true })
  for await (const orders of portions) {
    const rows = orders.map((order) => columns.map((column) => cell(column, order)))
    if (rows.length > 0) yield stringify(rows, written)
  }
}

function cell(column: Column, order: OrderRecord): string {
  const value = column.of(order)
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  if (column.kind === 'time') return dayAndTime(value)
  const text = cellText(value)
  return column.kind === 'phone' ? telephone(text) : harmless(text)
}

function dayAndTime(time: string): string {
  const wall = romeTime(time)
  if (wall === null) return NO_TIME
  const [day = '', clock = ''] = new Date(wall).toISOString().split('T')
  return `${day.split('-').toReversed().join('/')} ${clock.slice(0, 5)}`
}

/**
 * Excel reckons with what begins like this, also after spaces, and what a customer wrote is none of ours:
 * an apostrophe makes it the text that it is.
 */
function harmless(text: string): string {
  return /^(\s*[=+\-@＝＋－＠]|[\t\n])/.test(text) ? `'${text}` : text
}

const TELEPHONE = /^\+?(?=(?:\D*\d){6})[\d\s()./-]+$/

/**
 * A telephone number in groups with spaces between them: Excel leaves those as they are, an apostrophe
 * would be in the way of whoever dials, and of '0412345678' or '+393331234567' it would make a number
 * without its zero or its plus. What is no telephone number is text.
 */
function telephone(text: string): string {
  if (!TELEPHONE.test(text)) return harmless(text)
  const groups = text.split(/[^\d+]+/).filter((group) => group !== '')
  if (groups.length > 1) return groups.join(' ')
  return text.replaceAll(/[^\d+]/g, '').replace(/^(\+39|0039|\+?\d{3})/, '$1 ')
}
