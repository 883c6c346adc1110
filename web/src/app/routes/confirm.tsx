import { paths } from '@bancone/contract/pages'
import { Link, useLocation, useNavigate } from 'react-router'
import { ConfirmPanel } from '../../features/session/confirm-panel.tsx'
import { LinkProblem, RefusedLink } from '../../features/session/link-problem.tsx'
import { readLinkRefusal, readMailLink } from '../../features/session/mail-link.ts'
import { SessionCard } from '../../features/session/session-card.tsx'
import { buttonStyle } from '../../ui/button.tsx'
import { toastSuccess } from '../../ui/toast.ts'

/** Navigation state after one of the two confirmations of an email change: replaces the used link in the history. */
const HALF = 'half'

export function Confirm() {
  const location = useLocation()
  const navigate = useNavigate()
  if (location.state === HALF) return <OtherHalf />
  const refusal = readLinkRefusal(location.hash)
  if (refusal) return <RefusedLink area="pharmacy" code={refusal.code} />
  const link = readMailLink(location.hash)
  if (!link) {
    return (
      <LinkProblem area="pharmacy" title="Il link non è completo" renewable>
        Aprilo di nuovo dall'email, oppure copialo per intero nella barra degli indirizzi. Se non
        basta, chiedine uno nuovo.
      </LinkProblem>
    )
  }
  // Replacing the entry removes the token from the address bar and the history.
  return (
    <ConfirmPanel
      key={location.hash}
      link={link}
      onDone={() => {
        void navigate(link.to, { replace: true })
        if (link.type === 'email_change') toastSuccess('Email cambiata')
      }}
      onHalf={() => void navigate(paths.confirm, { replace: true, state: HALF })}
    />
  )
}

function OtherHalf() {
  return (
    <SessionCard
      title="Manca una conferma"
      intro="Questo indirizzo è confermato. Abbiamo inviato un link anche all'altro: apri quell'email e conferma anche da lì. Fino ad allora accedi con l'indirizzo di prima."
      takesFocus
    >
      <Link
        to={paths.dashboard}
        className={`${buttonStyle({ look: 'secondary', size: 'large' })} mt-6 w-full`}
      >
        Vai alla dashboard
      </Link>
    </SessionCard>
  )
}
