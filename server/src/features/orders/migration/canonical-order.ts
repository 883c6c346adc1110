import { createHash } from 'node:crypto'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { columnsOf, type OrderRow, orderRow } from '../records/order-rows.ts'

/**
 * The columns that are compared, by their names in Airtable and in the order of the canonical form; with the record id they
 * are the twelve mapped fields of an order.
 */
const compared = {
  'ID Ordine': 'order_number',
  'ID WA': 'wa_id',
  Cliente: 'customer_name',
  'Phone Number': 'customer_phone',
  Ordine: 'order_details',
  Indirizzo: 'address',
  Stato: 'status',
  Image: 'image_ref',
  PharmaWA: 'pharma_wa',
  Created: 'airtable_created',
  Last: 'airtable_last',
} as const satisfies Record<string, keyof OrderRow>

export const comparedColumns = Object.values(compared)

/** An order of the copy. Times are ISO 8601. */
export type CopiedOrder = Pick<OrderRow, 'airtable_order_id' | (typeof comparedColumns)[number]>

/**
 * An order in a form in which the same content is the same on both sides: texts in NFC without spaces around them, empty
 * ones as null, times in UTC milliseconds.
 *
 * `hash` is the SHA-256 of all of it, `columns` has eight bytes of that of each column.
 */
export type CanonicalOrder = { recordId: string; hash: Buffer; columns: Buffer; month: string }

const FINGERPRINT = 8

/** Changes when the canonical form does: hashes of different forms differ. */
const FORM = 1

/** @param copy what is known of the order, for the fields that the source does not tell */
export function canonicalOfSource(
  { unknown = [], ...told }: SourceOrder,
  copy: CopiedOrder | undefined,
): CanonicalOrder {
  const columns = new Set<string>(copy && unknown.flatMap((field) => columnsOf[field]))
  const known = Object.entries(copy ?? {}).filter(([column]) => columns.has(column))
  return canonicalOfCopy({ ...orderRow(told), ...Object.fromEntries(known) })
}

export function canonicalOfCopy(row: CopiedOrder): CanonicalOrder {
  const { airtable_created, airtable_last } = row
  const times = {
    airtable_created: String(Date.parse(airtable_created)),
    airtable_last: String(Date.parse(airtable_last)),
  }
  const values = { ...row, ...times }
  const texts = comparedColumns.map((column) => values[column]?.normalize('NFC').trim() || null)
  return {
    recordId: row.airtable_order_id,
    hash: digest([FORM, row.airtable_order_id, ...texts]),
    columns: Buffer.concat(texts.map((text) => digest(text).subarray(0, FINGERPRINT))),
    month: new Date(airtable_created).toISOString().slice(0, 7),
  }
}

/** The columns in which two orders differ. */
export function differingColumns(a: Buffer, b: Buffer): string[] {
  return Object.keys(compared).filter((_name, index) => {
    const at = index * FINGERPRINT
    return !a.subarray(at, at + FINGERPRINT).equals(b.subarray(at, at + FINGERPRINT))
  })
}

/** The columns in which an order in Airtable differs from its copy. */
export function differencesOf(order: SourceOrder, copy: CopiedOrder): string[] {
  return differingColumns(canonicalOfSource(order, copy).columns, canonicalOfCopy(copy).columns)
}

/** A number that does not depend on the order of the hashes: the sum of their first eight bytes, modulo 2^64. */
export function addToSum(sum: bigint, hash: Buffer): bigint {
  return BigInt.asUintN(64, sum + hash.readBigUInt64BE(0))
}

function digest(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest()
}
