import { Plus, ShieldCheck, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { type ModalProps, useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FocusFallback } from '../../ui/focus-fallback.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { EnrolFactor } from './enrol-factor.tsx'
import { removeApp } from './enrolment.ts'
import { type AuthenticatorApp, useInvalidateAccount, useOwnAccount } from './own-account.ts'
import { ReauthenticationDialog, textBefore } from './reauthentication-dialog.tsx'
import { RecoveryCodesPart } from './recovery-codes-part.tsx'

/** Limit of the authentication service. */
const MAX_APPS = 10

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

function nameOf(app: AuthenticatorApp): string {
  return app.name || 'App di autenticazione'
}

/** Two-factor authentication: authenticator apps and recovery codes. */
export function SecondFactorSection({ area }: { area: Area }) {
  const account = useOwnAccount(area)
  const [proving, setProving] = useState(false)
  const [enrolling, setEnrolling] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const removing = useOpened<AuthenticatorApp>(heading)
  const begin = useRef<HTMLButtonElement>(null)
  const apps = account.data?.authenticatorApps ?? []

  function end() {
    setEnrolling(false)
    // The focused element has disappeared, or is about to; a dialog releases the focus only after closing.
    requestAnimationFrame(() => heading.current?.focus())
  }

  return (
    <CardSection
      title="Verifica in due passaggi"
      intro={intro}
      state={apps.length > 0 ? <On /> : null}
      heading={heading}
    >
      <QueryStates
        query={account}
        otherwise="Non è stato possibile leggere la verifica in due passaggi. Riprova."
        skeleton={<LinesSkeleton what="della verifica in due passaggi" lines={['w-56', 'w-32']} />}
      >
        {({ authenticatorApps }) =>
          enrolling ? (
            <EnrolFactor
              area={area}
              names={authenticatorApps.map(({ name }) => name)}
              onCancel={end}
              onDone={() => {
                end()
                toastSuccess('Verifica in due passaggi attiva', {
                  description: 'Gli altri dispositivi dovranno accedere di nuovo.',
                })
              }}
            />
          ) : authenticatorApps.length === 0 ? (
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
                {authenticatorApps.map((app) => (
                  <li key={app.id}>
                    <FocusFallback
                      to={heading}
                      className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5"
                    >
                      <Smartphone aria-hidden className="size-5 shrink-0 text-muted" />
                      <div className="min-w-0 flex-1 basis-32">
                        <p className="font-medium wrap-anywhere">{nameOf(app)}</p>
                        <p className="text-sm text-muted tabular-nums">
                          Attiva dal {formatDateTime(app.since)}
                        </p>
                      </div>
                      <Button
                        aria-label={`Rimuovi ${nameOf(app)}`}
                        aria-haspopup="dialog"
                        onClick={({ currentTarget }) => removing.open(app, currentTarget)}
                      >
                        Rimuovi
                      </Button>
                    </FocusFallback>
                  </li>
                ))}
              </ul>
              {authenticatorApps.length < MAX_APPS ? (
                <Button className="self-start" onClick={() => setEnrolling(true)}>
                  <Plus aria-hidden />
                  Aggiungi un altro dispositivo
                </Button>
              ) : null}
              <RecoveryCodesPart area={area} />
            </>
          )
        }
      </QueryStates>
      {proving ? (
        <ReauthenticationDialog
          area={area}
          text={textBefore('Per attivare la verifica')}
          onConfirmed={() => {
            setProving(false)
            setEnrolling(true)
          }}
          onClose={() => setProving(false)}
          // The next step takes the focus.
          onReturnFocus={() => begin.current?.focus()}
        />
      ) : null}
      {removing.item ? (
        <RemoveAppDialog
          area={area}
          app={removing.item}
          isLast={apps.length <= 1}
          {...removing.modal}
        />
      ) : null}
    </CardSection>
  )
}

const withOthers =
  "I codici di quest'app non varranno più. Se sei entrato con questa, ti chiederemo subito il codice di un'altra."
const last =
  'È la tua unica app: per accedere basterà la password, e anche i codici di recupero non varranno più.'

type RemoveAppDialogProps = ModalProps & {
  area: Area
  app: AuthenticatorApp
  isLast: boolean
}

/** Asks before an authenticator app is removed, for the password too: an unattended session must not suffice. */
function RemoveAppDialog(props: RemoveAppDialogProps) {
  const { area, app, isLast, onClose, onReturnFocus } = props
  const news = useInvalidateAccount(area)

  async function remove() {
    try {
      await removeApp(area, app.id)
    } catch (error) {
      // The app has been removed elsewhere already.
      if (problemCode(error) !== 'mfa_factor_not_found') throw error
    }
    news()
    toastSuccess(isLast ? 'Verifica in due passaggi disattivata' : 'App rimossa')
    onClose()
  }

  return (
    <ReauthenticationDialog
      area={area}
      title={isLast ? 'Disattivare la verifica in due passaggi?' : `Rimuovere «${app.name}»?`}
      text={isLast ? last : withOthers}
      confirm={isLast ? 'Disattiva' : 'Rimuovi'}
      confirming="Rimozione in corso…"
      look="danger"
      otherwise="Non è stato possibile rimuovere l'app. Riprova."
      onConfirmed={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
