import type { OfferRecord } from '@bancone/contract/offers'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OfferFormSlot, OfferTask } from '../../../features/offers/offer-form-slot.ts'
import { useBeforeUnloadPrompt } from '../../../lib/use-before-unload-prompt.ts'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { dismissToast } from '../../../ui/toast.ts'
import type { OfferDraft } from './offer-draft.ts'
import { OfferForm } from './offer-form.tsx'
import { notifyStored } from './offer-toasts.ts'
import {
  discardForm,
  type OpenedForm,
  openForm,
  prefillForm,
  storeForm,
  taskKey,
} from './opened-form.ts'

/** The form to create or edit an offer, with the picture, the assistant, and a preview. */
export function OfferEditor(slot: OfferFormSlot) {
  const editor = useOfferEditor(slot.task)
  const { opened, unsaved, needsConfirmation } = editor
  const heading = useRef<HTMLHeadingElement>(null)
  const [closes, setCloses] = useState(false)
  const isGone = useEffectEvent(() => {
    // The undo actions of these toasts need the form.
    dismissToast('image')
    dismissToast('offer-form')
    notifyStored(opened)
  })
  useEffect(() => () => isGone(), [])

  function close() {
    // A new offer stays stored as a draft.
    if (opened.task.kind === 'edit') editor.leave()
    if (slot.onClose) slot.onClose()
    else slot.onTask({ kind: 'new' })
  }

  function leave() {
    setCloses(false)
    if (needsConfirmation) editor.leave()
    else close()
  }

  function stay() {
    setCloses(false)
    if (needsConfirmation) slot.onTask(opened.task)
  }

  return (
    <>
      <OfferForm
        key={opened.count}
        slot={slot}
        editor={editor}
        heading={heading}
        // A form that was opened by a click gets the focus.
        takesFocus={opened.count > 0 || opened.task.kind !== 'new' || slot.onClose !== null}
        onCancel={() => (unsaved ? setCloses(true) : close())}
      />
      {needsConfirmation || (closes && unsaved) ? (
        <LeaveDialog
          title="Modifiche non salvate"
          text="Se lasci questa offerta, quello che hai cambiato si perde."
          leave="Lascia senza salvare"
          onStay={stay}
          onLeave={leave}
          onReturnFocus={() => {
            // The form of the next offer may already have the focus.
            if (document.activeElement === document.body) heading.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}

export type OfferEditorState = ReturnType<typeof useOfferEditor>

/** The form that is open. It follows the task of the page, unless unsaved changes would be lost. */
function useOfferEditor(task: OfferTask) {
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
