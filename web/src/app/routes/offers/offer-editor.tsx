import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { dismissToast } from '../../../ui/toast.ts'
import { OfferForm } from './offer-form.tsx'
import { notifyStored } from './offer-toasts.ts'
import { useOfferEditor } from './use-offer-editor.ts'

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
