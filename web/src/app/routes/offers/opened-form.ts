import { z } from 'zod/mini'
import type { OfferTask } from '../../../features/offers/offer-form-slot.ts'
import { readFormDraft, saveDraft } from '../../../lib/drafts.ts'
import { copyOf, draftOf, emptyDraft, OfferDraft, sameDraft } from './offer-draft.ts'

/** What this tab stores of a form, to survive a reload. */
const StoredForm = z.object({
  draft: OfferDraft,
  /** For a new offer: the id of the copied offer, or empty for values from another page; null for a blank start. */
  from: z._default(z.nullable(z.string()), null),
  /** For a new offer: the id it was submitted with while the outcome is unknown; null otherwise. */
  sentAs: z._default(z.nullable(z.string()), null),
  /** For an existing offer: its last modification when it was read. */
  seen: z._default(z.string(), ''),
})
type StoredForm = z.infer<typeof StoredForm>

/** A form as it was opened: `draft` has the values with which it starts. */
export type OpenedForm = StoredForm & {
  task: OfferTask
  /** Changes were restored from storage. */
  restored: boolean
  /** A new offer that was started blank is stored and waits. */
  hasOwnDraft: boolean
  /** Increases with each form since the page was opened: results of one form must not reach the next. */
  count: number
}

/** The new offer that was started blank, and the one that was started with values, are stored separately. */
const OWN = 'offer'
const PREFILLED = 'offer-given'

function nameOf({ task, from }: Pick<OpenedForm, 'task' | 'from'>): string {
  if (task.kind === 'edit') return `${OWN}-${task.offer.id}`
  return from === null ? OWN : PREFILLED
}

const read = (name: string) => readFormDraft(name, StoredForm)

export function taskKey(task: OfferTask): string {
  return task.kind === 'new' ? 'new' : `${task.kind} ${task.offer.id}`
}

/** Starts from what is stored for the task. */
export function openForm(task: OfferTask, count = 0): OpenedForm {
  const flags = { restored: false, hasOwnDraft: false }
  const blank = { task, ...flags, count, draft: emptyDraft, from: null, sentAs: null, seen: '' }
  if (task.kind === 'edit') {
    const changes = read(nameOf(blank))
    if (changes) return { ...blank, ...changes, restored: true }
    return { ...blank, draft: draftOf(task.offer), seen: task.offer.updatedTime }
  }
  const own = read(OWN)
  const prefilled = read(PREFILLED)
  const hasOwnDraft = own !== null
  if (task.kind === 'copy' && prefilled?.from !== task.offer.id) {
    return { ...blank, draft: copyOf(task.offer), from: task.offer.id, hasOwnDraft }
  }
  return prefilled ? { ...blank, ...prefilled, hasOwnDraft } : { ...blank, ...own }
}

/** The values before any input; null for values from another page or from before a reload. */
function untouched({ task, from }: OpenedForm): OfferDraft | null {
  if (task.kind === 'edit') return draftOf(task.offer)
  if (from === null) return emptyDraft
  return task.kind === 'copy' && from === task.offer.id ? copyOf(task.offer) : null
}

export function isChanged(form: OpenedForm): boolean {
  const before = untouched(form)
  return before === null || !sameDraft(form.draft, before)
}

/** Stores the form with its current draft. An unchanged draft is not stored. */
export function storeForm(form: OpenedForm) {
  const { draft, from, sentAs, seen } = form
  saveDraft(nameOf(form), isChanged(form) ? JSON.stringify({ draft, from, sentAs, seen }) : '')
}

/** Deletes what is stored of the form, after it was saved or discarded. */
export function discardForm(form: OpenedForm) {
  saveDraft(nameOf(form), '')
}

export function isStored(form: OpenedForm): boolean {
  return read(nameOf(form)) !== null
}

/** Stores values from elsewhere, with which the next new offer starts. */
export function prefillForm(draft: OfferDraft) {
  saveDraft(PREFILLED, JSON.stringify({ draft, from: '' }))
}
