import { type RawBuilder, sql } from 'kysely'
import { numbersIn } from './phone-numbers.ts'

/** A customer of a pharmacy, who is known by a telephone number. */
export type Customer = {
  /** E.164. */
  phone: string
}

/** The orders of a customer. */
export type OrdersOfCustomer = {
  /** All of them. */
  recordIds: readonly string[]
  /** Those that are in the database only. */
  here: readonly { id: string; recordId: string }[]
  /** Those that are read from Airtable. */
  inAirtable: readonly { id: string; recordId: string }[]
}

/** A customer with their orders. */
export type CustomerOfOrders = Customer & { recordIds: readonly string[] }

/** The customers whose valid telephone numbers are in a text. */
export async function customersIn(text: string): Promise<Customer[]> {
  return (await numbersIn(text)).map((phone) => ({ phone }))
}

/** The rows whose text has the customer's number, maybe among others. @param textOf the text of a row */
export async function withNumber<Row>(
  rows: readonly Row[],
  textOf: (row: Row) => string | null,
  { phone }: Customer,
): Promise<Row[]> {
  const numbers = await Promise.all(rows.map((row) => numbersIn(textOf(row))))
  return rows.filter((_row, n) => numbers[n]?.includes(phone))
}

/** A condition that all texts with the customer's number meet, and few others: their digits contain the number's. */
export function mayHaveNumber(text: RawBuilder<unknown>, { phone }: Customer): RawBuilder<boolean> {
  const digits = phone.replace(/^\+(?:39)?/, '')
  return sql<boolean>`strpos(regexp_replace(normalize(${text}, nfkd), '[^0-9]', '', 'g'), ${digits}) > 0`
}
