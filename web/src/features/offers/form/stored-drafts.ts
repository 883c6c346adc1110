import { z } from 'zod'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
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
  saveDraft(name, kept === null ? '' : JSON.stringify(kept))
}

/** `sentAs`: the id it was submitted with while the outcome is unknown; null otherwise. */
const OwnDraft = z.object({ draft: OfferDraft, sentAs: z.string().nullable() })
export type OwnDraft = z.infer<typeof OwnDraft>

/** The unsaved new offer of this tab that was started blank; null when there is none. */
export function readOwnDraft(): OwnDraft | null {
  return read(OWN, OwnDraft)
}

/** Empty drafts are not stored. */
export function saveOwnDraft(own: OwnDraft) {
  keep(OWN, sameDraft(own.draft, emptyDraft) ? null : own)
}

/** `from`: the id of the copied offer; empty for values from another page. */
const PrefilledDraft = OwnDraft.extend({ from: z.string() })
export type PrefilledDraft = z.infer<typeof PrefilledDraft>

/** The unsaved new offer that was started with given values; stored separately from the blank one. */
export function readPrefilledDraft(): PrefilledDraft | null {
  return read(GIVEN, PrefilledDraft)
}

export function savePrefilledDraft(given: PrefilledDraft | null) {
  keep(GIVEN, given)
}

/** `seen`: last modification of the offer when it was read. */
const Changes = z.object({ seen: z.string(), draft: OfferDraft })
export type Changes = z.infer<typeof Changes>

function nameOf(offerId: string): string {
  return `offer-${offerId}`
}

/** The unsaved changes of an offer in this tab; null when there are none. */
export function readChanges(offerId: string): Changes | null {
  return read(nameOf(offerId), Changes)
}

export function saveChanges(offerId: string, changes: Changes | null) {
  keep(nameOf(offerId), changes)
}
