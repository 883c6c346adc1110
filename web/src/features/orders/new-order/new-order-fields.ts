import { type NewOrderFields, newOrderLengths } from '@bancone/contract/new-orders'
import type { z } from 'zod/mini'
import { formatNumber } from '../../../lib/format.ts'
import type { DraftFields } from './new-order-draft.ts'

type Name = keyof DraftFields

const lengths: Partial<Record<Name, number>> = {
  'ID Ordine': newOrderLengths.number,
  Cliente: newOrderLengths.customer,
  'Phone Number': newOrderLengths.phone,
  Indirizzo: newOrderLengths.address,
  Ordine: newOrderLengths.details,
}

const wanted: Partial<Record<Name, string>> = {
  Cliente: 'Scrivi il nome del cliente.',
  'Phone Number': 'Scrivi un numero di telefono con almeno 6 cifre.',
  Ordine: 'Scrivi il prodotto richiesto.',
}

function isName(part: PropertyKey | undefined): part is Name {
  return typeof part === 'string' && part in lengths
}

/** The Italian message of a validation error. */
export function fieldMessage({
  code,
  path,
}: Pick<z.core.$ZodRawIssue, 'code' | 'path'>): string | undefined {
  const name = path?.[0]
  if (!isName(name)) return undefined
  const most = lengths[name]
  if (code === 'too_big' && most !== undefined) {
    return `Al massimo ${formatNumber(most)} caratteri.`
  }
  return wanted[name]
}

function filled(text: string): string | undefined {
  return text.trim() || undefined
}

/** The form's content as the contract expects it: empty optional fields are omitted. */
export function filledFields(fields: DraftFields): z.input<typeof NewOrderFields> {
  return {
    ...fields,
    'ID Ordine': filled(fields['ID Ordine']),
    'Phone Number': filled(fields['Phone Number']),
    Indirizzo: filled(fields.Indirizzo),
  }
}
