import type { OfferTask } from '../offer-form-slot.ts'
import { copyOf, draftOf, emptyDraft, type OfferDraft, sameDraft } from './offer-draft.ts'
import {
  type PrefilledDraft,
  readChanges,
  readOwnDraft,
  readPrefilledDraft,
  saveChanges,
  saveOwnDraft,
  savePrefilledDraft,
} from './stored-drafts.ts'

/** The content of the form and its purpose. */
export type OfferFormState = {
  task: OfferTask
  /** For a new offer: the id of the copied offer, or empty for values from another page; null for a blank start. */
  from: string | null
  draft: OfferDraft
  /** The draft before any input. */
  initial: OfferDraft
  /** For a new offer: the id it was submitted with while the outcome is unknown; null otherwise. */
  sentAs: string | null
  /** For an existing offer: its last modification when it was read. */
  seen: string
  /** Changes were restored from storage. */
  restored: boolean
  /** A new offer that was started blank is stored and waits. */
  hasOwnDraft: boolean
  /** Increases with each form since the page was opened: results of one form must not reach the next. */
  count: number
}

export function taskKey(task: OfferTask): string {
  return task.kind === 'new' ? 'new' : `${task.kind} ${task.offer.id}`
}

/** Id of the offer to change; null for a new one. */
export function changedId({ task }: Pick<OfferFormState, 'task'>): string | null {
  return task.kind === 'edit' ? task.offer.id : null
}

export function isChanged({ draft, initial }: Pick<OfferFormState, 'draft' | 'initial'>): boolean {
  return !sameDraft(draft, initial)
}

function givenFor(task: OfferTask): PrefilledDraft | null {
  const given = readPrefilledDraft()
  if (task.kind !== 'copy' || given?.from === task.offer.id) return given
  return { from: task.offer.id, draft: copyOf(task.offer), sentAs: null }
}

/** An unchanged copy is not worth storing. */
function isMereCopy({ task, from, draft }: OfferFormState): boolean {
  return task.kind === 'copy' && from === task.offer.id && sameDraft(draft, copyOf(task.offer))
}

/** Starts from what is stored for the task. */
export function openFormState(task: OfferTask, count = 0): OfferFormState {
  const work = {
    task,
    from: null,
    sentAs: null,
    seen: '',
    restored: false,
    hasOwnDraft: false,
    count,
  }
  if (task.kind === 'edit') {
    const initial = draftOf(task.offer)
    const kept = readChanges(task.offer.id)
    if (kept) return { ...work, ...kept, initial, restored: true }
    return { ...work, draft: initial, initial, seen: task.offer.updatedTime }
  }
  const initial = emptyDraft
  const own = readOwnDraft()
  const given = givenFor(task)
  if (given === null) return { ...work, draft: emptyDraft, ...own, initial }
  return { ...work, ...given, initial, hasOwnDraft: own !== null }
}

/** Stores the state, to survive a reload. */
export function saveFormState(work: OfferFormState) {
  const { from, draft, sentAs, seen } = work
  const id = changedId(work)
  if (id !== null) saveChanges(id, isChanged(work) ? { seen, draft } : null)
  else if (from !== null) savePrefilledDraft(isMereCopy(work) ? null : { from, draft, sentAs })
  else saveOwnDraft({ draft, sentAs })
}

/** Deletes the stored state after it was saved or discarded. */
export function discardFormState(work: OfferFormState) {
  const id = changedId(work)
  if (id !== null) saveChanges(id, null)
  else if (work.from !== null) savePrefilledDraft(null)
  else saveOwnDraft({ draft: emptyDraft, sentAs: null })
}
