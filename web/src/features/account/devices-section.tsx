import { listAccountSessions } from '@bancone/contract/account'
import { type RefObject, useRef, useState } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { AccountSection, LinesSkeleton } from './account-section.tsx'
import { DeviceItem } from './device-item.tsx'
import { callAsUser } from './own-account.ts'

type LeaveOthersDialogProps = { area: Area; onClose: () => void; onReturnFocus: () => void }

function LeaveOthersDialog({ area, onClose, onReturnFocus }: LeaveOthersDialogProps) {
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
      onClose={onClose}
      onReturnFocus={onReturnFocus}
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
    <AccountSection
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
    </AccountSection>
  )
}
