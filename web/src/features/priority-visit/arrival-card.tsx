import { openingState } from '@bancone/contract/opening-state'
import type { CustomerVisit, PriorityPharmacy } from '@bancone/contract/priority-customer'
import { Clock, MapPinCheckInside } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { openingText } from '../../lib/opening-text.ts'
import { calls } from './calls.ts'
import { CancelButton } from './cancel-button.tsx'
import { failureToast } from './failure-toast.ts'
import { card, main, secondary } from './looks.ts'
import { inputOf, PlaceChoice, placeOf } from './place-choice.tsx'
import type { ToastText } from './toast.tsx'
import type { ChangeVisit } from './use-visit.ts'
import { ATTENDED, meanings, NOT_ATTENDED, titles } from './visit-texts.ts'

type ArrivalCardProps = {
  pharmacy: PriorityPharmacy
  visit: CustomerVisit
  change: ChangeVisit
  onToast: (toast: ToastText) => void
  /** In the click itself: what the browser allows only there. */
  onPress: () => void
}

type Step = 'on_the_way' | 'user_arrived' | 'cancelled'

/** Says that the customer has arrived. */
export function ArrivalCard({ pharmacy, visit, change, onToast, onPress }: ArrivalCardProps) {
  const [sending, setSending] = useState<Step | null>(null)
  const [place, setPlace] = useState(() => inputOf(visit.place))
  const now = useSeconds()
  const hours = pharmacy.openingWeek
    ? openingState(pharmacy.openingWeek, pharmacy.closings, now)
    : null
  const isClosed = hours?.isOpen === false
  const coolsMs = visit.coolsUntil === null ? 0 : Date.parse(visit.coolsUntil) - now
  const why = useId()

  async function go(to: Step) {
    if (sending !== null) return
    if (to === 'user_arrived') {
      if (isClosed || coolsMs > 0) return
      onPress()
    }
    setSending(to)
    try {
      const answer = await change(calls.status, { to, place: placeOf(place) })
      if (to === 'user_arrived') onToast(sentToast(answer.isAttended))
    } catch (error) {
      onToast(failureToast(error))
      // The button is of use again.
      setSending(null)
      return
    }
    setSending(null)
  }

  return (
    <section className={`${card} flex flex-col gap-4`}>
      <div role="status">
        <h1 className="text-2xl font-medium tracking-tight">{titles[visit.status]}</h1>
        <p className="mt-1 text-pretty text-muted">{meanings[visit.status]}</p>
        {visit.isAttended || isClosed ? null : (
          <p className="mt-2 text-pretty text-pending">{NOT_ATTENDED}</p>
        )}
      </div>
      <PlaceChoice value={place} onChange={setPlace} />
      <div id={why} className="empty:hidden">
        {hours && isClosed ? (
          <p className="flex items-start gap-2 text-pending">
            <Clock aria-hidden className="mt-0.5 size-5 shrink-0" />
            <span>{openingText(hours, now)}. Potrai avvisare la farmacia quando è aperta.</span>
          </p>
        ) : null}
        {coolsMs > 0 ? (
          <p className="text-pending">
            Ti abbiamo cercato e non eri al banco. Potrai avvisarci di nuovo tra{' '}
            {minutesText(coolsMs)}.
          </p>
        ) : null}
      </div>
      <button
        type="button"
        className={main}
        aria-disabled={sending !== null || isClosed || coolsMs > 0}
        aria-describedby={why}
        onClick={() => void go('user_arrived')}
      >
        <MapPinCheckInside aria-hidden />
        {sending === 'user_arrived' ? 'Invio richiesta...' : 'Sono in farmacia'}
      </button>
      <div className="flex flex-wrap justify-center gap-2">
        {visit.status === 'link_sent' ? (
          <button
            type="button"
            className={secondary}
            aria-disabled={sending !== null}
            onClick={() => void go('on_the_way')}
          >
            Sto arrivando
          </button>
        ) : (
          <CancelButton
            label="Non vengo più"
            isBusy={sending !== null}
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

function minutesText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  return minutes === 1 ? 'un minuto' : `${minutes} minuti`
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
