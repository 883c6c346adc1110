import type { OfferTask } from '../offer-form-slot.ts'
import {
  type Given,
  keepChanges,
  keepGiven,
  keepOwn,
  readChanges,
  readGiven,
  readOwn,
} from './kept-drafts.ts'
import { copyOf, draftOf, emptyDraft, type OfferDraft, sameDraft } from './offer-draft.ts'

/** What is in the form, and what it is for. */
export type OfferWork = {
  task: OfferTask
  /** Of a new offer: the one that it began as, or empty where another page gave it; null for one's own. */
  from: string | null
  draft: OfferDraft
  /** What it was when it was begun, and would be without what was typed. */
  begun: OfferDraft
  /** Of a new offer: the id with which it was sent, as long as nobody knows whether it came to be; null otherwise. */
  sentAs: string | null
  /** Of an offer that is being changed: when it had last been changed, as it was read. */
  seen: string
  /** Changes of an earlier time are there again. */
  restored: boolean
  /** A new offer of one's own was begun before, and waits. */
  aside: boolean
  /** Of the works since the page was opened: what is under way for one is not for the next. */
  count: number
}

export function taskKey(task: OfferTask): string {
  return task.kind === 'new' ? 'new' : `${task.kind} ${task.offer.id}`
}

/** The offer that is being changed; null for a new one. */
export function changedId({ task }: Pick<OfferWork, 'task'>): string | null {
  return task.kind === 'edit' ? task.offer.id : null
}

export function isChanged({ draft, begun }: Pick<OfferWork, 'draft' | 'begun'>): boolean {
  return !sameDraft(draft, begun)
}

function givenFor(task: OfferTask): Given | null {
  const given = readGiven()
  if (task.kind !== 'copy' || given?.from === task.offer.id) return given
  return { from: task.offer.id, draft: copyOf(task.offer), sentAs: null }
}

/** A copy that nobody has touched: there is nothing of it to keep. */
function isMereCopy({ task, from, draft }: OfferWork): boolean {
  return task.kind === 'copy' && from === task.offer.id && sameDraft(draft, copyOf(task.offer))
}

/** Begins with what was kept of it. */
export function beginWork(task: OfferTask, count = 0): OfferWork {
  const work = { task, from: null, sentAs: null, seen: '', restored: false, aside: false, count }
  if (task.kind === 'edit') {
    const begun = draftOf(task.offer)
    const kept = readChanges(task.offer.id)
    if (kept) return { ...work, ...kept, begun, restored: true }
    return { ...work, draft: begun, begun, seen: task.offer.updatedTime }
  }
  const begun = emptyDraft
  const own = readOwn()
  const given = givenFor(task)
  if (given === null) return { ...work, draft: emptyDraft, ...own, begun }
  return { ...work, ...given, begun, aside: own !== null }
}

/** Keeps it over a reload. */
export function keepWork(work: OfferWork) {
  const { from, draft, sentAs, seen } = work
  const id = changedId(work)
  if (id !== null) keepChanges(id, isChanged(work) ? { seen, draft } : null)
  else if (from !== null) keepGiven(isMereCopy(work) ? null : { from, draft, sentAs })
  else keepOwn({ draft, sentAs })
}

/** It is saved, or given up. */
export function forgetWork(work: OfferWork) {
  const id = changedId(work)
  if (id !== null) keepChanges(id, null)
  else if (work.from !== null) keepGiven(null)
  else keepOwn({ draft: emptyDraft, sentAs: null })
}
