import { useState } from 'react'
import { Link } from 'react-router'
import type { Area, SessionState } from '../../lib/session-state.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { areas } from './areas.ts'
import { SessionCard } from './session-card.tsx'
import { requestPasswordReset } from './sign-in.ts'

const why =
  'Per sicurezza la password si cambia solo dal link che ti mandiamo via email: così non può farlo chi trova questo computer incustodito.'

type LinkNeededProps = {
  area: Area
  session: SessionState
  /** Why the current session is not sufficient; by default the rule is explained. */
  reason: string | null
}

/** Replaces the form for a new password when the page was not opened by a link. */
export function LinkNeeded({ area, session, reason }: LinkNeededProps) {
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
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const { failure, fail, clearFailure } = useFailure()

  async function send() {
    setState('sending')
    const text = await requestPasswordReset(area, email)
    setState(text === null ? 'sent' : 'idle')
    if (text === null) clearFailure()
    else fail(text)
  }

  const sending = state === 'sending'
  return (
    <div className="mt-6 flex flex-col gap-4">
      <FailureAlert failure={failure} />
      {state === 'sent' ? (
        <Alert tone="done">Tra poco riceverai il link all'indirizzo {email}.</Alert>
      ) : null}
      <Button look="primary" size="large" inactive={sending} onClick={() => void send()}>
        {sending
          ? 'Invio in corso...'
          : state === 'sent'
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
