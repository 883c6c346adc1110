import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { notifyDraftStored } from '../../../features/offers/form/notify-draft-stored.ts'
import { useOfferFormState } from '../../../features/offers/form/use-offer-form-state.ts'
import { LeaveDialog } from '../../../features/offers/leave-dialog.tsx'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { dismissToast } from '../../../ui/toast.ts'
import { OfferForm } from './offer-form.tsx'

/** The form to create or edit an offer, with the picture, the assistant, and a preview. */
export function OfferEditor(slot: OfferFormSlot) {
  const form = useOfferFormState(slot.task)
  const { formState, unsaved, needsConfirmation } = form
  const heading = useRef<HTMLHeadingElement>(null)
  const [closes, setCloses] = useState(false)
  const isGone = useEffectEvent(() => {
    // The undo actions of these toasts need the form.
    dismissToast('image')
    dismissToast('offer-form')
    notifyDraftStored(formState)
  })
  useEffect(() => () => isGone(), [])

  function close() {
    // A new offer stays stored as a draft.
    if (formState.task.kind === 'edit') form.leave()
    if (slot.onClose) slot.onClose()
    else slot.onTask({ kind: 'new' })
  }

  function leave() {
    setCloses(false)
    if (needsConfirmation) form.leave()
    else close()
  }

  function stay() {
    setCloses(false)
    if (needsConfirmation) slot.onTask(formState.task)
  }

  return (
    <>
      <OfferForm
        key={formState.count}
        slot={slot}
        form={form}
        heading={heading}
        // A form that was opened by a click gets the focus.
        takesFocus={formState.count > 0 || formState.task.kind !== 'new' || slot.onClose !== null}
        onCancel={() => (unsaved ? setCloses(true) : close())}
      />
      {needsConfirmation || (closes && unsaved) ? (
        <LeaveDialog
          title="Modifiche non salvate"
          text="Se lasci questa offerta, quello che hai cambiato si perde."
          stay="Continua a modificare"
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
