import type { OrderRecord } from '@bancone/contract/orders'
import ExcelJS from 'exceljs'
import { expect, it } from 'vitest'
import { xlsxFile } from '../../../platform/spreadsheets/xlsx-file.ts'
import { orderColumns, sheetsOf } from './order-exports.service.ts'
import { BATCH_SIZE } from './order-exports.store.ts'

it.each([
  { portions: 0, sheets: [0] },
  { portions: 2, sheets: [2] },
  { portions: 3, sheets: [2, 1] },
  { portions: 4, sheets: [2, 2] },
])('$portions portions are on sheets of $sheets, which have a row for the labels too', (they) => {
  const portions = Array.from({ length: they.portions }, (_, n) => `{${n}}`)
  const sheets = sheetsOf(portions, 3 * BATCH_SIZE)
  expect(sheets.map(({ length }) => length)).toEqual(they.sheets)
  expect(sheets.flat()).toEqual(portions)
})

function order(number: number): OrderRecord {
  const at = '2026-01-01T10:00:00.000Z'
  const fields = { 'ID Ordine': number, Stato: 'Confermato', Created: at, Last: at }
  return { id: `rec${number}`, createdTime: at, fields, seen: true }
}

it('a workbook goes on with another sheet', async () => {
  async function* portions(...numbers: number[]) {
    yield numbers.map(order)
  }
  const parts: Uint8Array[] = []
  for await (const part of xlsxFile('Ordini', orderColumns, [portions(1, 2), portions(3)]))
    parts.push(part)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(new Uint8Array(Buffer.concat(parts)).buffer)
  const found = book.worksheets.map((sheet) => [sheet.name, sheet.getColumn(1).values.slice(1)])
  expect(found).toEqual([
    ['Ordini', ['ID Ordine', 1, 2]],
    ['Ordini 2', ['ID Ordine', 3]],
  ])
})
