import { type RawBuilder, sql } from 'kysely'
import { numbersIn } from './phone-numbers.ts'

/** A customer of a pharmacy, who is known by a telephone number. */
export type Customer = {
  /** E.164. */
  phone: string
}

/** An order of a customer. `number` is what the pharmacy calls it; `isHeld`: its customer's data are not to be deleted. */
export type OrderOfCustomer = {
  id: string
  recordId: string
  number: string | null
  status: string
  isHeld: boolean
}

/** The orders of a customer, newest first: those that are in the database only, and those that are read from Airtable. */
export type OrdersOfCustomer = {
  here: readonly OrderOfCustomer[]
  inAirtable: readonly OrderOfCustomer[]
}

/** A customer with the record ids of all of their orders. */
export type CustomerWithOrders = Customer & { recordIds: readonly string[] }

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
