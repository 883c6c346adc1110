import { createHash } from 'node:crypto'
import type { OrderField, SourceOrder } from '../../../ports/order-source.ts'
import { storedStatus } from '../records/orders.rules.ts'

/**
 * The columns that are compared, in the order of the canonical form; with the record id they are the twelve mapped
 * fields of an order.
 */
export const comparedColumns = [
  'ID Ordine',
  'ID WA',
  'Cliente',
  'Phone Number',
  'Ordine',
  'Indirizzo',
  'Stato',
  'Image',
  'PharmaWA',
  'Created',
  'Last',
] as const

/** An order of the copy. Times are ISO 8601. */
export type CopiedOrder = {
  record_id: string
  order_number: string | null
  wa_id: string | null
  customer_name: string | null
  customer_phone: string | null
  order_details: string | null
  address: string | null
  status: string
  image_ref: string | null
  pharma_wa: string | null
  airtable_created: string
  airtable_last: string
}

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
  told: SourceOrder,
  copy: CopiedOrder | undefined,
): CanonicalOrder {
  const order = told.unknown && copy ? { ...told, ...knownFields(told.unknown, copy) } : told
  return canonical(order.recordId, order.createdAt, [
    order.orderNumber,
    order.waId,
    order.customerName,
    order.customerPhone,
    order.details,
    order.address,
    storedStatus(order),
    order.image?.ref ?? null,
    order.pharmaWa,
    milliseconds(order.createdAt),
    milliseconds(order.updatedAt),
  ])
}

function knownFields(fields: readonly OrderField[], copy: CopiedOrder): Partial<SourceOrder> {
  const known = {
    orderNumber: copy.order_number,
    waId: copy.wa_id,
    customerName: copy.customer_name,
    customerPhone: copy.customer_phone,
    details: copy.order_details,
    address: copy.address,
    status: copy.status,
    image: copy.image_ref === null ? null : { url: '', ref: copy.image_ref },
    pharmaWa: copy.pharma_wa,
    createdAt: copy.airtable_created,
    updatedAt: copy.airtable_last,
  } satisfies Record<OrderField, unknown>
  return Object.fromEntries(fields.map((field) => [field, known[field]]))
}

export function canonicalOfCopy(row: CopiedOrder): CanonicalOrder {
  return canonical(row.record_id, row.airtable_created, [
    row.order_number,
    row.wa_id,
    row.customer_name,
    row.customer_phone,
    row.order_details,
    row.address,
    row.status,
    row.image_ref,
    row.pharma_wa,
    milliseconds(row.airtable_created),
    milliseconds(row.airtable_last),
  ])
}

/** The columns in which two orders differ. */
export function differingColumns(a: Buffer, b: Buffer): string[] {
  return comparedColumns.filter((_name, index) => {
    const at = index * FINGERPRINT
    return !a.subarray(at, at + FINGERPRINT).equals(b.subarray(at, at + FINGERPRINT))
  })
}

/** A number that does not depend on the order of the hashes: the sum of their first eight bytes, modulo 2^64. */
export function addToSum(sum: bigint, hash: Buffer): bigint {
  return BigInt.asUintN(64, sum + hash.readBigUInt64BE(0))
}

function canonical(
  recordId: string,
  createdAt: string,
  values: readonly (string | null)[],
): CanonicalOrder {
  const texts = values.map((value) => value?.normalize('NFC').trim() || null)
  return {
    recordId,
    hash: digest([FORM, recordId, ...texts]),
    columns: Buffer.concat(texts.map((text) => digest(text).subarray(0, FINGERPRINT))),
    month: new Date(createdAt).toISOString().slice(0, 7),
  }
}

function digest(value: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest()
}

const milliseconds = (time: string) => String(Date.parse(time))
