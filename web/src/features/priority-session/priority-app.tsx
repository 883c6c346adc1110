import { customerPriorityPath } from '@bancone/contract/pages'
import type { PriorityDisplayState, PriorityPage } from '@bancone/contract/priority-customer'
import { Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWakeLock } from '../../lib/use-wake-lock.ts'
import { isDisplay } from './answers.ts'
import { calls } from './calls.ts'
import { FindPage } from './find-page.tsx'
import { followState } from './live-state.ts'
import { PageFrame } from './page-frame.tsx'
import { Refused } from './refused.tsx'
import { SessionPage } from './session-page.tsx'
import { secondary } from './styles.ts'
import { keepToken, tokenInHash } from './token.ts'

/** The page of a link, the page that finds it, or the screen in the room. */
export function PriorityApp({ page }: { page: PriorityPage }) {
  const [found, setFound] = useState<string | null>(null)
  const { kind, pharmacy, refusal } = page
  if (kind === 'display') return <DisplayPage />
  const orderId = found ?? page.orderId
  if (!pharmacy || (orderId === null && refusal !== null)) {
    return (
      <PageFrame pharmacy={pharmacy}>
        <Refused text={refusal ?? 'Si è verificato un errore, riprova più tardi'} />
      </PageFrame>
    )
  }
  return (
    <PageFrame pharmacy={pharmacy}>
      {orderId === null ? (
        <FindPage
          pharmacy={pharmacy}
          onFound={({ orderId: id, token }) => {
            keepToken(token, customerPriorityPath(pharmacy.code, id))
            setFound(id)
          }}
        />
      ) : (
        <SessionPage
          pharmacy={pharmacy}
          orderId={orderId}
          isFound={found !== null}
          drawn={{ status: page.status, refusal: found === null ? refusal : null }}
        />
      )}
    </PageFrame>
  )
}

type Shown = { state: PriorityDisplayState | null; refusal: string | null; isLive: boolean }

const NO_TOKEN = 'Questo schermo non è collegato. Apri il suo link dalle impostazioni di Priority.'

/** The screen in the room: codes and desks, no names. Its link stays in the address, for a screen that starts again. */
function DisplayPage() {
  const [{ state, refusal, isLive }, setShown] = useState<Shown>({
    state: null,
    refusal: null,
    isLive: true,
  })
  const [isSpoken, setSpoken] = useState(false)
  useWakeLock(state !== null)
  useSpeech(state, isSpoken)

  useEffect(() => {
    const token = tokenInHash()
    const refuse = (text: string) => setShown({ state: null, refusal: text, isLive: true })
    if (token === null) {
      refuse(NO_TOKEN)
      return undefined
    }
    const source = { events: calls.displayEvents, read: calls.display, body: { token } }
    return followState(
      { ...source, isState: isDisplay },
      {
        onState: (now) => setShown((before) => ({ ...before, state: now })),
        onRefused: ({ failure }) => refuse(failure.text),
        onLive: (now) => setShown((before) => ({ ...before, isLive: now })),
      },
    )
  }, [])

  if (refusal !== null) {
    return (
      <main className="mx-auto max-w-xl px-3 py-10">
        <Refused text={refusal} />
      </main>
    )
  }
  const [newest, ...others] = state?.called ?? []
  return (
    <main className="flex min-h-dvh flex-col gap-[3vh] p-[3vw]" aria-busy={state === null}>
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-[max(32px,3vw)] leading-tight font-medium break-words">
          {state?.pharmacyName ?? 'Accesso prioritario'}
        </h1>
        {isLive || state === null ? null : (
          <p role="status" className="text-[max(20px,1.6vw)] text-pending">
            Connessione assente
          </p>
        )}
        <button
          type="button"
          className={`${secondary} needs-script`}
          aria-pressed={isSpoken}
          onClick={() => {
            // In the click: a browser speaks only after one.
            if (!isSpoken) speak('Voce attiva')
            setSpoken(!isSpoken)
          }}
        >
          {isSpoken ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
          {isSpoken ? 'Voce attiva' : 'Attiva voce'}
        </button>
      </header>
      <p className="without-script">Per questo schermo serve JavaScript.</p>
      <div role="status" className="flex flex-1 flex-col justify-center gap-[3vh]">
        {newest ? (
          <p className="flex flex-wrap items-baseline justify-between gap-x-[4vw] rounded-card border-4 border-accent bg-surface px-[4vw] py-[2vh]">
            <span className="text-[min(30vh,24vw)] leading-none font-medium tabular-nums">
              {newest.code}
            </span>
            <span className="text-[max(40px,7vw)] leading-tight font-medium break-words">
              {newest.desk ?? 'Banco'}
            </span>
          </p>
        ) : (
          <p className="text-center text-[max(32px,4vw)]">
            {state === null ? '' : 'Qui appare il codice di chi viene chiamato'}
          </p>
        )}
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] gap-[2vw]">
          {others.map(({ code, desk, calledAt }) => (
            <li
              key={`${code} ${calledAt}`}
              className="flex items-baseline justify-between gap-4 rounded-card border border-line-strong bg-surface px-6 py-3"
            >
              <span className="text-[max(48px,6vw)] leading-none font-medium tabular-nums">
                {code}
              </span>
              <span className="text-[max(32px,2.4vw)] leading-tight break-words">
                {desk ?? 'Banco'}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p className="text-[max(32px,2vw)]">{state === null ? '' : `In attesa: ${state.waiting}`}</p>
    </main>
  )
}

/** Speaks each call once, not those that were there before. */
function useSpeech(state: PriorityDisplayState | null, isOn: boolean): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!state) return
    const before = known.current
    const keyOf = ({ code, calledAt }: PriorityDisplayState['called'][number]) =>
      `${code} ${calledAt}`
    known.current = new Set(state.called.map(keyOf))
    if (!before || !isOn) return
    for (const call of state.called.slice().reverse()) {
      if (before.has(keyOf(call))) continue
      speak(`Codice ${call.code.split('').join(' ')}, ${call.desk ?? 'al banco'}`)
    }
  }, [state, isOn])
}

function speak(text: string): void {
  if (!('speechSynthesis' in window)) return
  const spoken = new SpeechSynthesisUtterance(text)
  spoken.lang = 'it-IT'
  speechSynthesis.speak(spoken)
}
