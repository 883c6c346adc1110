import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { areas } from '../../features/session/areas.ts'
import { RefusedLink } from '../../features/session/link-problem.tsx'
import { readLinkRefusal } from '../../features/session/mail-link.ts'
import { NewPasswordForm } from '../../features/session/new-password-form.tsx'
import { SecondStep } from '../../features/session/second-step.tsx'
import { SessionCard } from '../../features/session/session-card.tsx'
import { requestPasswordReset, resetFailed } from '../../features/session/sign-in.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { useSession } from '../../lib/session.ts'
import type { Area, SessionState } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useSecondStep } from '../use-second-step.ts'

export function ResetPassword() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const area = query.get('area') === 'admin' ? 'admin' : 'pharmacy'
  const session = useSession(areas[area].session)
  const [over, setOver] = useState<string | null>(null)
  const { asks, steps } = useSecondStep(session)

  const refusal = readLinkRefusal(hash)
  if (refusal) return <RefusedLink area={area} code={refusal.code} />
  if (session.status === 'loading') return <PageSpinner />
  if (over !== null || session.status === 'signed-out' || !session.fromMail) {
    return <LinkNeeded area={area} session={session} reason={over} />
  }

  if (asks) {
    return (
      <SecondStep
        key={session.userId}
        area={area}
        email={session.email}
        intro="Prima di scegliere la nuova password serve il codice della tua app di autenticazione."
        {...steps}
      />
    )
  }

  function saved() {
    toastSuccess('Password aggiornata.')
    void navigate(areas[area].home, { replace: true })
  }

  const invited = query.get('type') === 'invite'
  return (
    <SessionCard
      title={invited ? 'Scegli la tua password' : 'Scegli una nuova password'}
      intro={
        <>
          Per l'accesso di <strong className="break-words text-ink">{session.email}</strong>
          {invited && area === 'pharmacy' ? <ToPharmacy /> : null}
        </>
      }
    >
      <NewPasswordForm
        key={session.userId}
        area={area}
        email={session.email}
        onSaved={saved}
        onOver={setOver}
      />
    </SessionCard>
  )
}

/** Shows the name of the pharmacy that invited the user, once it is known. */
function ToPharmacy() {
  const { data } = useOwnPharmacy()
  if (!data) return null
  return (
    <>
      {' '}
      agli ordini di <strong className="break-words text-ink">{data.name}</strong>
    </>
  )
}

const why =
  'Per sicurezza la password si cambia solo dal link che ti mandiamo via email: così non può farlo chi trova questo computer incustodito.'

type LinkNeededProps = {
  area: Area
  session: SessionState
  /** Why the current session is not sufficient; by default the rule is explained. */
  reason: string | null
}

/** Replaces the form for a new password when the page was not opened by a link. */
function LinkNeeded({ area, session, reason }: LinkNeededProps) {
  const { login } = areas[area]
  return (
    <SessionCard title="Serve un link" intro={reason ?? why} takesFocus={reason !== null}>
      {session.status === 'signed-in' ? (
        <SendLink area={area} email={session.email} />
      ) : (
        <>
          <p className="mt-3 text-sm text-pretty text-muted">
            Nella pagina di accesso scrivi la tua email e premi «Password dimenticata?».
          </p>
          <Link
            to={login}
            state={{ forgot: true }}
            className={`${buttonStyle({ look: 'primary', size: 'large' })} mt-6 w-full`}
          >
            Vai all'accesso
          </Link>
        </>
      )}
    </SessionCard>
  )
}

/** A signed-in user need not type the address; the link is sent only to its owner. */
function SendLink({ area, email }: { area: Area; email: string }) {
  const { busy, failure, run } = useAction(resetFailed)
  const [isSent, setSent] = useState(false)
  return (
    <div className="mt-6 flex flex-col gap-4">
      <FailureAlert failure={failure} />
      {isSent && !busy && !failure ? (
        <Alert tone="done">Tra poco riceverai il link all'indirizzo {email}.</Alert>
      ) : null}
      <Button
        look="primary"
        size="large"
        inactive={busy}
        onClick={() =>
          void run(async () => {
            await requestPasswordReset(area, email)
            setSent(true)
          })
        }
      >
        {busy
          ? 'Invio in corso...'
          : isSent && !failure
            ? 'Invia un altro link'
            : 'Inviami il link'}
      </Button>
      <Link
        to={areas[area].home}
        className={`${buttonStyle({ look: 'link', size: 'medium' })} self-center`}
      >
        Torna alla dashboard
      </Link>
    </div>
  )
}
