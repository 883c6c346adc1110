import { openingState } from '@bancone/contract/opening-state'
import type { CustomerVisit, PriorityPharmacy } from '@bancone/contract/priority-customer'
import { MapPinCheckInside } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { openingText } from '../../lib/opening-text.ts'
import { calls } from './calls.ts'
import { CancelButton } from './cancel-button.tsx'
import { failureToast } from './failure-toast.ts'
import { card, main, secondary } from './looks.ts'
import { inputOf, PlaceChoice, placeOf } from './place-choice.tsx'
import type { ToastText } from './toast.tsx'
import type { ChangeVisit } from './use-visit.ts'
import { ATTENDED, meaningBefore, NOT_ATTENDED, titles } from './visit-texts.ts'

type ArrivalCardProps = {
  pharmacy: PriorityPharmacy
  visit: CustomerVisit
  change: ChangeVisit
  onToast: (toast: ToastText) => void
}

type Step = 'on_the_way' | 'user_arrived' | 'cancelled'

const SENDING = 'Invio richiesta...'

/**
 * Says that the customer has arrived. The clock of the phone may be wrong: it chooses the text only, and the server
 * decides about each press.
 */
export function ArrivalCard({ pharmacy, visit, change, onToast }: ArrivalCardProps) {
  const [sending, setSending] = useState<Step | null>(null)
  const [place, setPlace] = useState(() => inputOf(visit.place))
  const now = useSeconds()
  const hours = pharmacy.openingWeek
    ? openingState(pharmacy.openingWeek, pharmacy.closings, now)
    : null
  const closed = hours?.isOpen === false ? openingText(hours, now) : null
  const isCoolingDown = visit.coolsUntil !== null && Date.parse(visit.coolsUntil) > now
  const isPlain = visit.isAttended && closed === null && !isCoolingDown
  const meaning = useId()

  async function go(to: Step) {
    // The button says that it is being sent. Another step does not wait for that.
    if (sending === to) return
    setSending(to)
    try {
      const answer = await change(calls.status, { to, place: placeOf(place) })
      if (to === 'user_arrived' && answer.status === to) onToast(sentToast(answer.isAttended))
    } catch (error) {
      onToast(failureToast(error))
    }
    setSending((step) => (step === to ? null : step))
  }

  return (
    <section className={`${card} flex flex-col gap-4`}>
      <div role="status">
        <h1 className="text-2xl font-medium tracking-tight">{titles[visit.status]}</h1>
        <p id={meaning} className={`mt-1 text-pretty ${isPlain ? 'text-muted' : 'text-pending'}`}>
          {meaningBefore(visit, closed, isCoolingDown)}
        </p>
      </div>
      <PlaceChoice value={place} onChange={setPlace} />
      <button
        type="button"
        className={main}
        aria-disabled={sending === 'user_arrived'}
        aria-describedby={meaning}
        onClick={() => void go('user_arrived')}
      >
        <MapPinCheckInside aria-hidden />
        {sending === 'user_arrived' ? SENDING : 'Sono in farmacia'}
      </button>
      <div className="flex flex-wrap justify-center gap-2">
        {visit.status === 'link_sent' ? (
          <button
            type="button"
            className={secondary}
            aria-disabled={sending === 'on_the_way'}
            onClick={() => void go('on_the_way')}
          >
            {sending === 'on_the_way' ? SENDING : 'Sto arrivando'}
          </button>
        ) : (
          <CancelButton
            label="Non vengo più"
            isBusy={sending === 'cancelled'}
            onCancel={() => void go('cancelled')}
          />
        )}
      </div>
    </section>
  )
}

function sentToast(isAttended: boolean): ToastText {
  return {
    title: 'Notifica inviata con successo!',
    text: isAttended ? ATTENDED : NOT_ATTENDED,
    isError: false,
  }
}

/** The time, every five seconds. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
