import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { sayWaiting } from '../../../features/offers/form/say-waiting.ts'
import { useOfferWork } from '../../../features/offers/form/use-offer-work.ts'
import { LeaveDialog } from '../../../features/offers/leave-dialog.tsx'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { dismissToast } from '../../../ui/toast.ts'
import { OfferForm } from './offer-form.tsx'

/** The form in which an offer is made, or changed: with the picture, the assistant, and what customers will see. */
export function OfferEditor(slot: OfferFormSlot) {
  const form = useOfferWork(slot.task)
  const { work, unsaved, asks } = form
  const heading = useRef<HTMLHeadingElement>(null)
  const [closes, setCloses] = useState(false)
  const isGone = useEffectEvent(() => {
    // Their way back leads nowhere.
    dismissToast('image')
    dismissToast('offer-form')
    sayWaiting(work)
  })
  useEffect(() => () => isGone(), [])

  function close() {
    // A new one waits where it is kept.
    if (work.task.kind === 'edit') form.leave()
    if (slot.onClose) slot.onClose()
    else slot.onTask({ kind: 'new' })
  }

  function leave() {
    setCloses(false)
    if (asks) form.leave()
    else close()
  }

  function stay() {
    setCloses(false)
    if (asks) slot.onTask(work.task)
  }

  return (
    <>
      <OfferForm
        key={work.count}
        slot={slot}
        form={form}
        heading={heading}
        // What was opened by a press is where one goes on.
        takesFocus={work.count > 0 || work.task.kind !== 'new' || slot.onClose !== null}
        onCancel={() => (unsaved ? setCloses(true) : close())}
      />
      {asks || (closes && unsaved) ? (
        <LeaveDialog
          title="Modifiche non salvate"
          text="Se lasci questa offerta, quello che hai cambiato si perde."
          stay="Continua a modificare"
          leave="Lascia senza salvare"
          onStay={stay}
          onLeave={leave}
          onReturnFocus={() => {
            // The next offer's form has taken it.
            if (document.activeElement === document.body) heading.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}
