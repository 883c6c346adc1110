import { z } from 'zod'
import { keepDraft, readDraft } from '../../../lib/drafts.ts'
import { emptyDraft, OfferDraft, sameDraft } from './offer-draft.ts'

const OWN = 'offer'
const GIVEN = 'offer-given'

function read<T>(name: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readDraft(name)))
  } catch {
    return null
  }
}

function keep(name: string, kept: object | null) {
  keepDraft(name, kept === null ? '' : JSON.stringify(kept))
}

/** `sentAs`: the id with which it was sent, as long as nobody knows whether it came to be; null otherwise. */
const Own = z.object({ draft: OfferDraft, sentAs: z.string().nullable() })
export type Own = z.infer<typeof Own>

/** The new offer that was begun from nothing in this tab, and not saved; null if none was. */
export function readOwn(): Own | null {
  return read(OWN, Own)
}

/** An empty one is not kept. */
export function keepOwn(own: Own) {
  keep(OWN, sameDraft(own.draft, emptyDraft) ? null : own)
}

/** `from`: the offer that it began as; empty for what another page gave. */
const Given = Own.extend({ from: z.string() })
export type Given = z.infer<typeof Given>

/** The new offer that began with what was given, beside one's own. */
export function readGiven(): Given | null {
  return read(GIVEN, Given)
}

export function keepGiven(given: Given | null) {
  keep(GIVEN, given)
}

/** `seen`: when the offer had last been changed, as it was read. */
const Changes = z.object({ seen: z.string(), draft: OfferDraft })
export type Changes = z.infer<typeof Changes>

function nameOf(offerId: string): string {
  return `offer-${offerId}`
}

/** What was being changed of that offer in this tab, and not saved. */
export function readChanges(offerId: string): Changes | null {
  return read(nameOf(offerId), Changes)
}

export function keepChanges(offerId: string, changes: Changes | null) {
  keep(nameOf(offerId), changes)
}
