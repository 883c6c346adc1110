import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { linkErrorMessage } from '../../lib/auth-messages.ts'
import type { Area } from '../../lib/session-state.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { areas, resetPath } from './areas.ts'
import { SessionCard } from './session-card.tsx'

type LinkProblemProps = {
  area: Area
  title: string
  children: ReactNode
  /** Whether a new link can be requested. */
  renewable: boolean
  takesFocus?: boolean | undefined
}

/** Shown when a link from a mail does not work. */
export function LinkProblem({ area, title, children, renewable, takesFocus }: LinkProblemProps) {
  const { session, login, home } = areas[area]
  const signedIn = session.current() !== null
  const style = `${buttonStyle({ look: 'primary', size: 'large' })} mt-6 w-full`
  return (
    <SessionCard title={title} intro={children} takesFocus={takesFocus}>
      {renewable ? (
        <Link
          to={signedIn ? resetPath(area, 'recovery') : login}
          state={signedIn ? null : { forgot: true }}
          className={style}
        >
          Chiedi un nuovo link
        </Link>
      ) : (
        <Link to={signedIn ? home : login} className={style}>
          {signedIn ? 'Torna alla dashboard' : "Vai all'accesso"}
        </Link>
      )}
    </SessionCard>
  )
}

/** Permanent errors: no other link would help. */
const final: ReadonlySet<string | null> = new Set([
  'user_banned',
  'signup_disabled',
  'email_exists',
])

/** For a link that the authentication service has rejected. */
export function RefusedLink({ area, code }: { area: Area; code: string | null }) {
  const renewable = !final.has(code)
  return (
    <LinkProblem area={area} title={linkErrorMessage(code)} renewable={renewable}>
      {renewable ? 'Puoi chiederne subito uno nuovo.' : null}
    </LinkProblem>
  )
}
