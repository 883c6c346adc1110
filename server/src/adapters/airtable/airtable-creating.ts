import type { NewSourceOrder, SourceLocation } from '../../ports/order-source.ts'
import type { createAirtableClient } from './airtable-client.ts'
import { AirtableRefusal } from './airtable-reply.ts'

/** The names the column of the number may have, of which the first is the usual one. */
const NUMBER_COLUMNS = ['ID Ordine', 'ID_Ordine'] as const

type NumberCell = { column: (typeof NUMBER_COLUMNS)[number]; value: string | number }

/**
 * Makes a record, and gives back what Airtable answers. Which kind of column the number is in only its
 * refusals tell: one that Airtable fills is left to it, one of numbers is given a number. Any other column
 * that it does not take is one that something would be lost in: then there is no record.
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

/** The columns that are filled. */
function cellsOf(order: NewSourceOrder): Record<string, string> {
  const cells = {
    Cliente: order.customerName,
    'Phone Number': order.customerPhone,
    Indirizzo: order.address,
    Ordine: order.details,
    Stato: order.status,
    PharmaWA: order.pharmaWa,
  }
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

function firstNumberCell(orderNumber: string | null): NumberCell | null {
  return orderNumber === null ? null : { column: NUMBER_COLUMNS[0], value: orderNumber }
}

/**
 * How to give the number after it was refused as it was; null when it is left to Airtable. A refusal means
 * that nothing was made.
 *
 * @throws the refusal, when it is about something else or there is no other way
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
