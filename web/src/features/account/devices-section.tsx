import { listAccountSessions } from '@bancone/contract/account'
import { type RefObject, useRef, useState } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastResult } from '../../ui/toast.ts'
import { useAccountNews } from './account-news.ts'
import { AccountSection, LinesSkeleton, Problem, ReadPart } from './account-section.tsx'
import { DeviceItem } from './device-item.tsx'
import { asOneself } from './own-account.ts'
import { useAction } from './use-action.ts'

type LeaveOthersDialogProps = { area: Area; onClose: () => void; onReturnFocus: () => void }

function LeaveOthersDialog({ area, onClose, onReturnFocus }: LeaveOthersDialogProps) {
  const news = useAccountNews(area)
  const leaving = useAction('Non è stato possibile uscire dagli altri dispositivi. Riprova.')

  async function leave() {
    leaving.forget()
    await leaving.run(async () => {
      await asOneself(area, (auth) => auth.signOut({ scope: 'others' }))
      news()
      toastResult('Sei uscito dagli altri dispositivi')
      onClose()
    })
  }

  return (
    <Dialog
      title="Uscire dagli altri dispositivi?"
      text="Su tutti gli altri bisognerà accedere di nuovo. Qui resti dentro."
      footer={
        <>
          <Button onClick={onClose}>Annulla</Button>
          <Button look="danger" inactive={leaving.busy} onClick={() => void leave()}>
            {leaving.busy ? 'Uscita in corso…' : 'Esci dagli altri'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <Problem of={leaving.failure} />
    </Dialog>
  )
}

type LeaveOthersProps = {
  area: Area
  /** Gets the focus when there are no others any more. */
  heir: RefObject<HTMLElement | null>
}

function LeaveOthers({ area, heir }: LeaveOthersProps) {
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const going = useFocusHeir(heir)
  return (
    <div ref={going} className="self-start">
      <Button ref={opener} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Esci dagli altri dispositivi
      </Button>
      {asking ? (
        <LeaveOthersDialog
          area={area}
          onClose={() => setAsking(false)}
          onReturnFocus={() => (opener.current?.isConnected ? opener : heir).current?.focus()}
        />
      ) : null}
    </div>
  )
}

/** Where one is signed in, and how to be so no more. */
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
      <ReadPart
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
                  heir={heading}
                />
              ))}
            </ul>
            {sessions.some(({ isCurrent }) => !isCurrent) ? (
              <LeaveOthers area={area} heir={heading} />
            ) : null}
          </>
        )}
      </ReadPart>
    </AccountSection>
  )
}
