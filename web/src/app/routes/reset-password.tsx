import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { areas } from '../../features/session/areas.ts'
import { LinkNeeded } from '../../features/session/link-needed.tsx'
import { RefusedLink } from '../../features/session/link-problem.tsx'
import { readLinkRefusal } from '../../features/session/mail-link.ts'
import { NewPasswordForm } from '../../features/session/new-password-form.tsx'
import { SecondStep } from '../../features/session/second-step.tsx'
import { SessionCard } from '../../features/session/session-card.tsx'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { useSession } from '../../lib/session.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useSecondStep } from '../use-second-step.ts'

export function ResetPassword() {
  useDocumentTitle('Nuova password')
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
