import {
  type AccountSession,
  type Device,
  endAccountSession,
  listAccountSessions,
} from '@bancone/contract/account'
import { CircleQuestionMark, type LucideIcon, Monitor, Smartphone, Tablet } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { unlessGone, useAction } from '../../lib/use-action.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useNow } from '../../lib/use-now.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { FocusFallback } from '../../ui/focus-fallback.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { callAsUser, useInvalidateAccount } from './own-account.ts'

const icons: Record<Device['kind'], LucideIcon> = {
  desktop: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  other: CircleQuestionMark,
}

/** 'Chrome · Windows'. */
export function deviceName({ browser, system }: Device): string {
  const known = [browser, system].filter((part) => part !== null)
  return known.length > 0 ? known.join(' · ') : 'Dispositivo sconosciuto'
}

function DeviceIcon({ device, className }: { device: Device; className: string }) {
  const Icon = icons[device.kind]
  return <Icon aria-hidden className={className} />
}

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

/** The user's sessions, and how to end them. */
export function DevicesSection({ area }: { area: Area }) {
  const devices = useEndpoint(listAccountSessions, { area })
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const leaving = useOpened<'others'>(heading)
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
              <FocusFallback to={heading} className="self-start">
                <Button
                  aria-haspopup="dialog"
                  onClick={({ currentTarget }) => leaving.open('others', currentTarget)}
                >
                  Esci dagli altri dispositivi
                </Button>
              </FocusFallback>
            ) : null}
          </>
        )}
      </QueryStates>
      {leaving.item ? <LeaveOthersDialog area={area} {...leaving.modal} /> : null}
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
