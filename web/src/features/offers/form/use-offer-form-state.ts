import type { OfferRecord } from '@bancone/contract/offers'
import { useEffect, useState } from 'react'
import { useBeforeUnloadPrompt } from '../../../lib/use-before-unload-prompt.ts'
import type { OfferTask } from '../offer-form-slot.ts'
import { draftOf, type OfferDraft, type OfferPicture } from './offer-draft.ts'
import {
  changedId,
  discardFormState,
  isChanged,
  type OfferFormState,
  openFormState,
  saveFormState,
  taskKey,
} from './offer-form-state.ts'
import { savePrefilledDraft } from './stored-drafts.ts'

export type OfferFormControl = ReturnType<typeof useOfferFormState>

/** The state of the form. It follows the task of the page, unless unsaved changes would be lost. */
export function useOfferFormState(task: OfferTask) {
  const [formState, setFormState] = useState(() => openFormState(task))
  const leaves = taskKey(task) !== taskKey(formState.task)
  // A new offer stays in storage.
  const unsaved = changedId(formState) !== null && isChanged(formState)
  const needsConfirmation = leaves && unsaved
  if (leaves && !needsConfirmation) setFormState(openFormState(task, formState.count + 1))
  useEffect(() => saveFormState(formState), [formState])
  useBeforeUnloadPrompt(unsaved)

  const next = (following: OfferFormState) =>
    // The task stays until the page sets another.
    setFormState((now) => ({ ...following, task: now.task, count: now.count + 1 }))

  return {
    formState,
    unsaved,
    /** The page sets another task, and there are unsaved changes. */
    needsConfirmation,
    change(part: Partial<OfferDraft>) {
      setFormState((before) => ({ ...before, draft: { ...before.draft, ...part } }))
    },
    /** Sets a placeholder after no picture of the product was found, unless the form has a picture. */
    fillPicture(picture: OfferPicture) {
      setFormState((before) =>
        before.draft.picture === null ? { ...before, draft: { ...before.draft, picture } } : before,
      )
    },
    /** `id`: submitted with this id, outcome unknown; null after the server has rejected it. */
    setSentAs(id: string | null) {
      setFormState((now) => (now.count === formState.count ? { ...now, sentAs: id } : now))
    },
    /** After saving or discarding: an empty form, or the stored new offer. */
    startNew() {
      discardFormState(formState)
      next(openFormState({ kind: 'new' }))
    },
    /** Undoes the clearing of the form. */
    restore(before: OfferFormState) {
      saveFormState(before)
      // The draft waits in storage, because another offer is being edited.
      setFormState((now) =>
        changedId(now) === null ? { ...before, task: now.task, count: now.count + 1 } : now,
      )
    },
    /** Replaces the form's content by the saved offer. */
    resetTo(offer: OfferRecord) {
      discardFormState(formState)
      const initial = draftOf(offer)
      next({ ...formState, initial, draft: initial, seen: offer.updatedTime, restored: false })
    },
    /** Turns the input into a new offer. */
    copyToNew() {
      discardFormState(formState)
      savePrefilledDraft({ from: '', draft: formState.draft, sentAs: null })
      setFormState(openFormState({ kind: 'new' }, formState.count + 1))
    },
    /** Discards the changes, and follows the task of the page. */
    leave() {
      discardFormState(formState)
      setFormState(openFormState(task, formState.count + 1))
    },
  }
}
