import { Plus, ShieldCheck, Smartphone } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Button } from '../../ui/button.tsx'
import { toastResult } from '../../ui/toast.ts'
import { AccountSection, LinesSkeleton, ReadPart } from './account-section.tsx'
import { EnrolFactor } from './enrol-factor.tsx'
import { type CodeApp, useOwnAccount } from './own-account.ts'
import { ProveDialog } from './prove-dialog.tsx'
import { RecoveryCodesPart } from './recovery-codes-part.tsx'
import { RemoveAppDialog } from './remove-app-dialog.tsx'

/** The service takes no more. */
const MOST_APPS = 10

const intro =
  "Oltre alla password serve un codice che cambia ogni 30 secondi, mostrato da un'app sul telefono. La password da sola non basta più per entrare."

function On() {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full bg-confirmed-soft px-2.5 py-0.5 text-sm font-medium text-confirmed">
      <ShieldCheck aria-hidden className="size-4" />
      Attiva
    </span>
  )
}

type AppItemProps = {
  app: CodeApp
  onRemove: (app: CodeApp, opener: HTMLElement) => void
  /** Gets the focus when it has gone. */
  heir: RefObject<HTMLElement | null>
}

function AppItem({ app, onRemove, heir }: AppItemProps) {
  const going = useFocusHeir(heir)
  const name = app.name || 'App di autenticazione'
  return (
    <li>
      <div ref={going} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
        <Smartphone aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-32">
          <p className="font-medium wrap-anywhere">{name}</p>
          <p className="text-sm text-muted tabular-nums">Attiva dal {formatDateTime(app.since)}</p>
        </div>
        <Button
          aria-label={`Rimuovi ${name}`}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onRemove(app, currentTarget)}
        >
          Rimuovi
        </Button>
      </div>
    </li>
  )
}

/** The code of an app beside the password: how it is begun, made up for, and ended. */
export function SecondFactorSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const [proving, setProving] = useState(false)
  const [enrolling, setEnrolling] = useState(false)
  const [removing, setRemoving] = useState<{ app: CodeApp; opener: HTMLElement } | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const begin = useRef<HTMLButtonElement>(null)
  const apps = account.data?.codeApps ?? []

  function end() {
    setEnrolling(false)
    // What had the focus has gone, or is about to: a dialog lets go of it when it has gone.
    requestAnimationFrame(() => heading.current?.focus())
  }

  return (
    <AccountSection
      title="Verifica in due passaggi"
      intro={intro}
      state={apps.length > 0 ? <On /> : null}
      heading={heading}
    >
      <ReadPart
        query={account}
        otherwise="Non è stato possibile leggere la verifica in due passaggi. Riprova."
        skeleton={<LinesSkeleton what="della verifica in due passaggi" lines={['w-56', 'w-32']} />}
      >
        {({ codeApps }) =>
          enrolling ? (
            <EnrolFactor
              area={area}
              names={codeApps.map(({ name }) => name)}
              onCancel={end}
              onDone={() => {
                end()
                toastResult('Verifica in due passaggi attiva', {
                  description: 'Gli altri dispositivi dovranno accedere di nuovo.',
                })
              }}
            />
          ) : codeApps.length === 0 ? (
            <Button
              ref={begin}
              look="primary"
              className="self-start"
              aria-haspopup="dialog"
              onClick={() => setProving(true)}
            >
              Attiva
            </Button>
          ) : (
            <>
              <ul className="divide-y divide-line rounded-control border border-line">
                {codeApps.map((app) => (
                  <AppItem
                    key={app.id}
                    app={app}
                    onRemove={(one, opener) => setRemoving({ app: one, opener })}
                    heir={heading}
                  />
                ))}
              </ul>
              {codeApps.length < MOST_APPS ? (
                <Button className="self-start" onClick={() => setEnrolling(true)}>
                  <Plus aria-hidden />
                  Aggiungi un altro dispositivo
                </Button>
              ) : null}
              <RecoveryCodesPart area={area} />
            </>
          )
        }
      </ReadPart>
      {proving ? (
        <ProveDialog
          area={area}
          purpose="Per attivare la verifica"
          onProven={() => {
            setProving(false)
            setEnrolling(true)
          }}
          onClose={() => setProving(false)}
          // Where it goes on, the next step takes it.
          onReturnFocus={() => begin.current?.focus()}
        />
      ) : null}
      {removing ? (
        <RemoveAppDialog
          area={area}
          app={removing.app}
          isLast={apps.length <= 1}
          onClose={() => setRemoving(null)}
          // The button goes with its app.
          onReturnFocus={() =>
            (removing.opener.isConnected ? removing.opener : heading.current)?.focus()
          }
        />
      ) : null}
    </AccountSection>
  )
}
