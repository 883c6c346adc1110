import { openingState } from '@bancone/contract/opening-state'
import type { CustomerPrioritySession, PriorityPharmacy } from '@bancone/contract/priority-customer'
import { MapPinCheckInside } from 'lucide-react'
import { type RefCallback, useEffect, useId, useState } from 'react'
import { openingText } from '../../lib/opening-text.ts'
import { calls } from './calls.ts'
import { CancelButton } from './cancel-button.tsx'
import { failureToast } from './failure-toast.ts'
import { WithoutScript } from './find-page.tsx'
import { inputOf, PlaceChoice, type PlaceInput, placeOf } from './place-choice.tsx'
import { ATTENDED, meaningBefore, NOT_ATTENDED, titles } from './priority-session-texts.ts'
import { card, main, secondary } from './styles.ts'
import type { ToastText } from './toast.tsx'
import type { ChangeSession } from './use-priority-session.ts'

type ArrivalCardProps = {
  pharmacy: PriorityPharmacy
  /** The state, which is known before the session is loaded. */
  status: 'link_sent' | 'on_the_way'
  session: CustomerPrioritySession | null
  change: ChangeSession
  onToast: (toast: ToastText) => void
  /** What is focused in place of a control that is gone. */
  focusRef: RefCallback<HTMLElement>
}

type Step = 'on_the_way' | 'user_arrived' | 'cancelled'

const SENDING = 'Invio richiesta...'

/**
 * Says that the customer has arrived. The server draws it too, as it has the place that the buttons take. The clock of
 * the phone may be wrong: it chooses the text only, and the server decides about each press.
 */
export function ArrivalCard(props: ArrivalCardProps) {
  const { pharmacy, status, session, change, onToast, focusRef } = props
  const [sending, setSending] = useState<Step | null>(null)
  const [chosen, setPlace] = useState<PlaceInput | null>(null)
  const place = chosen ?? inputOf(session?.place ?? null)
  const now = useSeconds()
  const hours =
    session && pharmacy.openingWeek
      ? openingState(pharmacy.openingWeek, pharmacy.closings, now)
      : null
  const closed = hours?.isOpen === false ? openingText(hours, now) : null
  const isAttended = session?.isAttended ?? true
  const isCoolingDown = Date.parse(session?.coolsUntil ?? '') > now
  const isPlain = isAttended && closed === null && !isCoolingDown
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
    <section className={`${card} flex flex-col gap-4`} aria-busy={session === null}>
      <div role="status">
        <h1 ref={focusRef} tabIndex={-1} className="text-2xl font-medium tracking-tight">
          {titles[status]}
        </h1>
        <p id={meaning} className={`mt-1 text-pretty ${isPlain ? 'text-muted' : 'text-pending'}`}>
          {meaningBefore({ status, isAttended }, closed, isCoolingDown)}
        </p>
      </div>
      <PlaceChoice value={place} onChange={setPlace} />
      <button
        type="button"
        className={`${main} needs-script`}
        aria-disabled={sending === 'user_arrived'}
        aria-describedby={meaning}
        onClick={() => void go('user_arrived')}
      >
        <MapPinCheckInside aria-hidden />
        {sending === 'user_arrived' ? SENDING : 'Sono in farmacia'}
      </button>
      <div className="needs-script flex flex-wrap justify-center gap-2">
        {status === 'link_sent' ? (
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
      <WithoutScript pharmacy={pharmacy} />
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
