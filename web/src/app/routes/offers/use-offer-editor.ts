import type { OfferRecord } from '@bancone/contract/offers'
import { useState } from 'react'
import type { OfferTask } from '../../../features/offers/offer-form-slot.ts'
import { useBeforeUnloadPrompt } from '../../../lib/use-before-unload-prompt.ts'
import type { OfferDraft } from './offer-draft.ts'
import {
  discardForm,
  type OpenedForm,
  openForm,
  prefillForm,
  storeForm,
  taskKey,
} from './opened-form.ts'

export type OfferEditorState = ReturnType<typeof useOfferEditor>

/** The form that is open. It follows the task of the page, unless unsaved changes would be lost. */
export function useOfferEditor(task: OfferTask) {
  const [opened, setOpened] = useState(() => openForm(task))
  const [unsaved, setUnsaved] = useState(false)
  const leaves = taskKey(task) !== taskKey(opened.task)
  if (leaves && !unsaved) setOpened(openForm(task, opened.count + 1))
  useBeforeUnloadPrompt(unsaved)

  function open(next: OpenedForm) {
    setUnsaved(false)
    setOpened((now) => ({ ...next, count: now.count + 1 }))
  }

  return {
    opened,
    /** An existing offer has changes. A new offer stays in storage. */
    unsaved,
    setUnsaved,
    /** The page sets another task, and there are unsaved changes. */
    needsConfirmation: leaves && unsaved,
    /** `id`: submitted with this id, outcome unknown; null after the server has rejected it. */
    setSentAs(id: string | null) {
      setOpened((now) => (now.count === opened.count ? { ...now, sentAs: id } : now))
    },
    /** After saving or discarding: an empty form, or the stored new offer. */
    startNew() {
      discardForm(opened)
      // The task stays until the page sets another.
      open({ ...openForm({ kind: 'new' }), task: opened.task })
    },
    /** Undoes the clearing of the form. */
    restore(before: OpenedForm) {
      storeForm(before)
      // While another offer is edited, the draft waits in storage.
      setOpened((now) =>
        now.task.kind === 'edit' ? now : { ...before, task: now.task, count: now.count + 1 },
      )
    },
    /** Replaces the form's content by the stored offer. */
    resetTo(offer: OfferRecord) {
      discardForm(opened)
      open(openForm({ kind: 'edit', offer }))
    },
    /** Turns the input into a new offer. */
    copyToNew(draft: OfferDraft) {
      discardForm(opened)
      prefillForm(draft)
      open(openForm({ kind: 'new' }))
    },
    /** Discards the changes, and follows the task of the page. */
    leave() {
      discardForm(opened)
      open(openForm(task))
    },
  }
}
