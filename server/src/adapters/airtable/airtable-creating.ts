import type { NewSourceOrder, SourceCorrection, SourceLocation } from '../../ports/order-source.ts'
import { AirtableRefusal, type createAirtableClient } from './airtable-client.ts'

/** The possible names of the number column; the first one is the standard one. */
const NUMBER_COLUMNS = ['ID Ordine', 'ID_Ordine'] as const

type NumberCell = { column: (typeof NUMBER_COLUMNS)[number]; value: string | number }

/**
 * Creates a record and returns Airtable's response. The type of the number column is only known from refusals: a computed
 * column is omitted, a numeric one gets a number. If Airtable refuses any other column, no record is created, because
 * data would be lost.
 *
 * @throws AirtableRefusal, SourceError
 */
export async function createAirtableRecord(
  client: ReturnType<typeof createAirtableClient>,
  { baseId, tableId }: SourceLocation,
  order: NewSourceOrder,
  { signal, until }: { signal: AbortSignal | undefined; until: number },
): Promise<unknown> {
  const cells = cellsOf(order)
  let number = firstNumberCell(order.orderNumber)
  for (;;) {
    const fields = { ...cells, ...(number && { [number.column]: number.value }) }
    try {
      const path = [baseId, tableId]
      return await client.send({
        kind: 'write',
        baseId,
        path,
        body: { fields },
        creates: { until },
        signal,
      })
    } catch (error) {
      number = afterRefusal(error, number)
    }
  }
}

/**
 * Writes the content of a record and returns Airtable's response. A number column that cannot be written is refused.
 *
 * @throws AirtableRefusal, SourceError
 */
export async function correctAirtableRecord(
  client: ReturnType<typeof createAirtableClient>,
  { baseId, tableId }: SourceLocation,
  recordId: string,
  { orderNumber, ...correction }: SourceCorrection,
): Promise<unknown> {
  const cells = contentOf(correction)
  let number = firstNumberCell(orderNumber ?? null)
  for (;;) {
    const fields = { ...cells, ...(number && { [number.column]: number.value }) }
    try {
      const path = [baseId, tableId, recordId]
      return await client.send({ kind: 'write', baseId, path, body: { fields } })
    } catch (error) {
      number = afterRefusal(error, number)
      if (number === null) throw error
    }
  }
}

type Content = Pick<NewSourceOrder, 'customerName' | 'customerPhone' | 'address' | 'details'>

function contentOf(order: Content): Record<string, string | null> {
  return {
    Cliente: order.customerName,
    'Phone Number': order.customerPhone,
    Indirizzo: order.address,
    Ordine: order.details,
  }
}

/** The non-empty columns. */
function cellsOf(order: NewSourceOrder): Record<string, string> {
  const cells = { ...contentOf(order), Stato: order.status, PharmaWA: order.pharmaWa }
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

function firstNumberCell(orderNumber: string | null): NumberCell | null {
  return orderNumber === null ? null : { column: NUMBER_COLUMNS[0], value: orderNumber }
}

/**
 * The number cell to try after a refusal; null to omit the number. After a refusal no record was created.
 *
 * @throws the refusal, if it concerns another column or no alternative remains
 */
function afterRefusal(error: unknown, number: NumberCell | null): NumberCell | null {
  if (!number || !(error instanceof AirtableRefusal)) throw error
  if (error.column?.name !== number.column) throw error
  if (error.type === 'UNKNOWN_FIELD_NAME' && number.column === NUMBER_COLUMNS[0]) {
    return { column: NUMBER_COLUMNS[1], value: String(number.value) }
  }
  if (error.column.isComputed) return null
  const isPlain = typeof number.value === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(number.value)
  if (!isPlain || error.type !== 'INVALID_VALUE_FOR_COLUMN') throw error
  return { ...number, value: Number(number.value) }
}
