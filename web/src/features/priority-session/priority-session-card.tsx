import type { CustomerPrioritySession, PriorityPharmacy } from '@bancone/contract/priority-customer'
import { BellRing, Check } from 'lucide-react'
import { type ReactNode, type RefCallback, useState } from 'react'
import { calls } from './calls.ts'
import { CancelButton } from './cancel-button.tsx'
import { failureToast } from './failure-toast.ts'
import { CallLink } from './page-frame.tsx'
import { inputOf, PlaceChoice, placeOf } from './place-choice.tsx'
import { CALL_DONE, meaningOf, positionText, waitText } from './priority-session-texts.ts'
import { calledCard, card, quiet } from './styles.ts'
import type { ToastText } from './toast.tsx'
import type { ChangeSession } from './use-priority-session.ts'

type PrioritySessionCardProps = {
  pharmacy: PriorityPharmacy
  /** Null without a token, and until it is loaded. */
  session: CustomerPrioritySession | null
  /** Of the state, as far as it is known without a token. */
  title: string
  meaning: string
  isLoading: boolean
  change: ChangeSession
  onToast: (toast: ToastText) => void
  /** What is focused in place of a control that is gone. */
  focusRef: RefCallback<HTMLElement>
  children: ReactNode
}

/** The state of a session, and what belongs to it. */
export function PrioritySessionCard({
  pharmacy,
  session,
  title,
  meaning,
  ...rest
}: PrioritySessionCardProps) {
  const isCalled = session?.status === 'called'
  const isOver = session !== null && ['no_show', 'cancelled', 'expired'].includes(session.status)
  return (
    <section
      className={`${isCalled ? calledCard : card} flex flex-col gap-4`}
      aria-busy={rest.isLoading}
    >
      {/* Another element for the call: what is put into the page as an alert is announced at once. */}
      <div key={isCalled ? 'called' : 'state'} role={isCalled ? 'alert' : 'status'}>
        {isCalled ? <BellRing aria-hidden className="mb-2 size-10 text-accent" /> : null}
        <h1
          ref={session?.status === 'user_arrived' ? null : rest.focusRef}
          tabIndex={-1}
          className={`font-medium tracking-tight ${isCalled ? 'text-3xl' : 'text-2xl'}`}
        >
          {title}
        </h1>
        <p className={`mt-1 text-pretty ${isCalled ? 'text-lg' : 'text-muted'}`}>
          {session ? meaningOf(session) : meaning}
        </p>
        {/* The operator comes to a car. */}
        {isCalled && session.calledBy !== null && session.place === null ? (
          <p className="mt-2 text-3xl font-medium break-words">{session.calledBy}</p>
        ) : null}
        {isCalled ? <p className="mt-2 text-pretty text-muted">{CALL_DONE}</p> : null}
      </div>
      {session && (session.status === 'user_arrived' || isCalled) ? (
        <Code session={session} />
      ) : null}
      {session?.status === 'user_arrived' ? <Waiting session={session} {...rest} /> : null}
      {isOver ? (
        <div>
          <CallLink pharmacy={pharmacy} />
        </div>
      ) : null}
      {rest.children}
    </section>
  )
}

function Code({ session: { code, place } }: { session: CustomerPrioritySession }) {
  if (code === null) return null
  return (
    <p className="flex flex-col items-center rounded-card bg-sunken py-3">
      <span className="text-sm text-muted">
        {place === null ? 'Il codice da mostrare al banco' : 'Il codice da mostrare all’operatore'}
      </span>
      <span className="text-6xl font-medium tracking-[0.12em] tabular-nums">{code}</span>
    </p>
  )
}

type WaitingProps = Pick<PrioritySessionCardProps, 'change' | 'onToast' | 'focusRef'> & {
  session: CustomerPrioritySession
}

function Waiting({ session, change, onToast, focusRef }: WaitingProps) {
  const { ahead, wait, place, isAttended } = session
  const [edited, setEdited] = useState<ReturnType<typeof inputOf> | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function send(...call: Parameters<ChangeSession>) {
    if (isBusy) return
    setBusy(true)
    await change(...call).then(
      () => setEdited(null),
      (error: unknown) => onToast(failureToast(error)),
    )
    setBusy(false)
  }

  return (
    <>
      <button
        type="button"
        ref={focusRef}
        className="inline-flex min-h-16 w-full items-center justify-center gap-2 rounded-control border border-confirmed-line bg-confirmed-soft px-4 py-3 text-xl font-medium text-confirmed"
        aria-disabled
      >
        <Check aria-hidden className="size-6 shrink-0" />
        Notifica inviata!
      </button>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {ahead === null || !isAttended ? null : (
          <div>
            <dt className="text-sm text-muted">Posizione</dt>
            <dd className="font-medium">{positionText(ahead)}</dd>
          </div>
        )}
        {wait === null ? null : (
          <div>
            <dt className="text-sm text-muted">Attesa stimata</dt>
            <dd className="font-medium">{waitText(wait)}</dd>
          </div>
        )}
        <div>
          <dt className="text-sm text-muted">Posto di attesa</dt>
          <dd className="font-medium break-words">{place ?? 'Al banco'}</dd>
        </div>
      </dl>
      {edited === null ? null : <PlaceChoice value={edited} onChange={setEdited} />}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className={quiet}
          aria-disabled={isBusy}
          onClick={() => {
            if (edited === null) setEdited(inputOf(place))
            else void send(calls.place, { place: placeOf(edited) })
          }}
        >
          {edited === null
            ? 'Cambia il posto di attesa'
            : isBusy
              ? 'Invio richiesta...'
              : 'Salva il posto di attesa'}
        </button>
        <CancelButton
          label="Non aspetto più"
          isBusy={isBusy}
          onCancel={() => void send(calls.status, { to: 'cancelled' })}
        />
      </div>
      {isAttended ? (
        <p className="text-sm text-pretty text-muted">
          Tenere aperta questa pagina: la chiamata si vede qui.
        </p>
      ) : null}
    </>
  )
}
