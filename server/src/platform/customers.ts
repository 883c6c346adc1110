import { type RawBuilder, sql } from 'kysely'
import { numbersIn } from './phone-numbers.ts'

/** A customer of a pharmacy, who is known by a telephone number. */
export type Customer = {
  /** E.164. */
  phone: string
  /** The same number as it is written in its own country. */
  national: string
}

/** Which orders of a pharmacy are a customer's. */
export type OrdersOfCustomer = {
  customer: Customer
  /** The ids of orders that are the customer's for another reason than their telephone number. */
  orderIds: readonly string[]
}

/** The customers whose valid telephone numbers are in a text. */
export async function customersIn(text: string): Promise<Customer[]> {
  const numbers = await numbersIn(text)
  return numbers.map((phone) => ({ phone, national: phone.replace(/^\+(?:39)?/, '') }))
}

/**
 * Whether a field has the number, or several numbers of which it is one.
 *
 * @param text the field
 * @param key its `order_phone_key`, which is null for several numbers
 */
export function hasNumber(
  text: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
  { phone, national }: Customer,
): RawBuilder<boolean> {
  return sql<boolean>`(${key} in (order_phone_key(${phone}), order_phone_key(${national}))
    or ${key} is null and strpos(regexp_replace(${text}, '[^0-9]', '', 'g'), ${national}) > 0)`
}
