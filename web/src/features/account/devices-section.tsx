import {
  type AccountSession,
  endAccountSession,
  listAccountSessions,
} from '@bancone/contract/account'
import { type RefObject, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { unlessGone, useAction } from '../../lib/use-action.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useNow } from '../../lib/use-now.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { DeviceIcon, deviceName } from './device-words.tsx'
import { callAsUser, useInvalidateAccount } from './own-account.ts'

type LeaveOthersDialogProps = ModalProps & { area: Area }

function LeaveOthersDialog({ area, ...modal }: LeaveOthersDialogProps) {
  const news = useInvalidateAccount(area)

  async function leave() {
    await callAsUser(area, (auth) => auth.signOut({ scope: 'others' }))
    news()
    toastSuccess('Sei uscito dagli altri dispositivi')
  }

  return (
    <ConfirmDialog
      title="Uscire dagli altri dispositivi?"
      text="Su tutti gli altri bisognerà accedere di nuovo. Qui resti dentro."
      confirm="Esci dagli altri"
      confirming="Uscita in corso…"
      otherwise="Non è stato possibile uscire dagli altri dispositivi. Riprova."
      onConfirm={leave}
      {...modal}
    />
  )
}

type LeaveOthersProps = {
  area: Area
  /** Gets the focus when no other session is left. */
  focusFallback: RefObject<HTMLElement | null>
}

function LeaveOthers({ area, focusFallback }: LeaveOthersProps) {
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const going = useFocusFallback(focusFallback)
  return (
    <div ref={going} className="self-start">
      <Button ref={opener} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Esci dagli altri dispositivi
      </Button>
      {asking ? (
        <LeaveOthersDialog
          area={area}
          onClose={() => setAsking(false)}
          onReturnFocus={() =>
            (opener.current?.isConnected ? opener : focusFallback).current?.focus()
          }
        />
      ) : null}
    </div>
  )
}

/** The user's sessions, and how to end them. */
export function DevicesSection({ area }: { area: Area }) {
  const devices = useEndpoint(listAccountSessions, { area })
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <CardSection
      title="Dispositivi"
      intro="I browser in cui sei entrato con questo account. Se non ne riconosci uno, fallo uscire e cambia la password."
      heading={heading}
    >
      <QueryStates
        query={devices}
        otherwise="Non è stato possibile leggere i dispositivi. Riprova."
        skeleton={<LinesSkeleton what="dei dispositivi" lines={['w-56', 'w-2/3', 'w-40']} />}
      >
        {({ sessions }) => (
          <>
            <ul className="divide-y divide-line rounded-control border border-line">
              {sessions.map((session) => (
                <DeviceItem
                  key={session.id}
                  area={area}
                  session={session}
                  now={now}
                  focusFallback={heading}
                />
              ))}
            </ul>
            {sessions.some(({ isCurrent }) => !isCurrent) ? (
              <LeaveOthers area={area} focusFallback={heading} />
            ) : null}
          </>
        )}
      </QueryStates>
    </CardSection>
  )
}

/** 'usato 3 minuti fa', or the date when it is long ago. */
function lastUse(session: AccountSession, now: number): string {
  const { lastUsedAt } = session
  return `usato ${formatRelative(lastUsedAt, now) ?? `il ${formatDateTime(lastUsedAt)}`}`
}

type DeviceItemProps = {
  area: Area
  session: AccountSession
  now: number
  /** Gets the focus when the item disappears. */
  focusFallback: RefObject<HTMLElement | null>
}

/** A session of the user, shown as its device. */
function DeviceItem({ area, session, now, focusFallback }: DeviceItemProps) {
  const { id, device, address, startedAt, isCurrent, secondFactor } = session
  const news = useInvalidateAccount(area)
  const ending = useAction('Non è stato possibile far uscire questo dispositivo. Riprova.')
  const going = useFocusFallback(focusFallback)
  const name = deviceName(device)

  async function end() {
    await ending.run(async () => {
      const removal = call(endAccountSession, { params: { sessionId: id }, area })
      await unlessGone(removal, 'account.session_not_found')
      news()
      toastSuccess('Il dispositivo è uscito')
    })
  }

  return (
    <li>
      <div ref={going} className="flex flex-col gap-2 px-3.5 py-2.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <DeviceIcon device={device} className="size-5 shrink-0 text-muted" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
              <span className="font-medium wrap-anywhere">{name}</span>
              {isCurrent ? (
                <span className="rounded-full bg-accent-soft px-2 text-sm font-medium text-accent">
                  Questo dispositivo
                </span>
              ) : null}
            </p>
            <p className="text-sm text-muted tabular-nums">
              {address === null ? null : `${address} · `}
              {isCurrent ? 'in uso' : lastUse(session, now)}
            </p>
            <p className="text-sm text-muted tabular-nums">
              Dal {formatDateTime(startedAt)}
              {secondFactor ? ' · con la verifica in due passaggi' : null}
            </p>
          </div>
          {isCurrent ? null : (
            <Button
              aria-label={`Fai uscire ${name}`}
              inactive={ending.busy}
              onClick={() => void end()}
            >
              {ending.busy ? 'Uscita in corso…' : 'Fai uscire'}
            </Button>
          )}
        </div>
        <FailureAlert failure={ending.failure} />
      </div>
    </li>
  )
}
