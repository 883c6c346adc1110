import { type AccountSession, endAccountSession } from '@bancone/contract/account'
import type { RefObject } from 'react'
import { ApiError, call } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { DeviceIcon, deviceName } from './device-words.tsx'

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
export function DeviceItem({ area, session, now, focusFallback }: DeviceItemProps) {
  const { id, device, address, startedAt, isCurrent, secondFactor } = session
  const news = useInvalidateAccount(area)
  const ending = useAction('Non è stato possibile far uscire questo dispositivo. Riprova.')
  const going = useFocusFallback(focusFallback)
  const name = deviceName(device)

  async function end() {
    ending.clearFailure()
    await ending.run(async () => {
      try {
        await call(endAccountSession, { params: { sessionId: id }, area })
      } catch (error) {
        // The session has ended already, which was the goal.
        if (!(error instanceof ApiError && error.code === 'account.session_not_found')) throw error
      }
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
