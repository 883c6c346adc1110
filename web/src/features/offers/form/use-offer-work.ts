import type { OfferRecord } from '@bancone/contract/offers'
import { useEffect, useState } from 'react'
import { useAskBeforeUnload } from '../../../lib/use-ask-before-unload.ts'
import type { OfferTask } from '../offer-form-slot.ts'
import { keepGiven } from './kept-drafts.ts'
import { draftOf, type OfferDraft, type OfferPicture } from './offer-draft.ts'
import {
  beginWork,
  changedId,
  forgetWork,
  isChanged,
  keepWork,
  type OfferWork,
  taskKey,
} from './offer-work.ts'

export type OfferWorkControl = ReturnType<typeof useOfferWork>

/** What is in the form: it follows the task of the page, unless something would be lost. */
export function useOfferWork(task: OfferTask) {
  const [work, setWork] = useState(() => beginWork(task))
  const leaves = taskKey(task) !== taskKey(work.task)
  // A new offer waits where it is kept.
  const unsaved = changedId(work) !== null && isChanged(work)
  const asks = leaves && unsaved
  if (leaves && !asks) setWork(beginWork(task, work.count + 1))
  useEffect(() => keepWork(work), [work])
  useAskBeforeUnload(unsaved)

  const next = (following: OfferWork) =>
    // Until the page says otherwise it is for the same.
    setWork((now) => ({ ...following, task: now.task, count: now.count + 1 }))

  return {
    work,
    unsaved,
    /** The page wants to go on, and there are changes that are not saved. */
    asks,
    change(part: Partial<OfferDraft>) {
      setWork((before) => ({ ...before, draft: { ...before.draft, ...part } }))
    },
    /** Nobody knows a picture of the product: this stands in where there is none. */
    standIn(picture: OfferPicture) {
      setWork((before) =>
        before.draft.picture === null ? { ...before, draft: { ...before.draft, picture } } : before,
      )
    },
    /** `id`: it is on its way as that; null when the server has said no. */
    noteSent(id: string | null) {
      setWork((now) => (now.count === work.count ? { ...now, sentAs: id } : now))
    },
    /** It is saved, or nobody wants it: an empty form, or the new offer of one's own that waits. */
    beginNew() {
      forgetWork(work)
      next(beginWork({ kind: 'new' }))
    },
    /** Back to what it was before it was cleared. */
    putBack(before: OfferWork) {
      keepWork(before)
      // It waits where an offer is being changed by now.
      setWork((now) =>
        changedId(now) === null ? { ...before, task: now.task, count: now.count + 1 } : now,
      )
    },
    /** Nothing but this is to be saved of it. */
    becomes(offer: OfferRecord) {
      forgetWork(work)
      const begun = draftOf(offer)
      next({ ...work, begun, draft: begun, seen: offer.updatedTime, restored: false })
    },
    /** What was typed begins a new offer. */
    handOn() {
      forgetWork(work)
      keepGiven({ from: '', draft: work.draft, sentAs: null })
      setWork(beginWork({ kind: 'new' }, work.count + 1))
    },
    /** The changes are given up: the form does what the page wants. */
    leave() {
      forgetWork(work)
      setWork(beginWork(task, work.count + 1))
    },
  }
}
