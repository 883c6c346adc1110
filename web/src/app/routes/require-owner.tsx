import { paths } from '@bancone/contract/pages'
import { UserLock } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type RequireOwnerProps = {
  /** Shown to users who are not owners: that the page is for owners, and what to do. */
  title: string
  text: string
  children: ReactNode
}

function NotForYou({ title, text }: Omit<RequireOwnerProps, 'children'>) {
  const here = useRef<HTMLDivElement>(null)
  // It may replace content that had the focus, when the user's role has changed.
  useEffect(() => here.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={here} tabIndex={-1} className="grid flex-1 place-content-center outline-none">
      <EmptyState
        heading="h1"
        icon={<UserLock />}
        title={title}
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}

/** A page for owners of the pharmacy. */
export function RequireOwner({ title, text, children }: RequireOwnerProps) {
  return (
    <WithPharmacy>
      {({ role }) => (role === 'owner' ? children : <NotForYou title={title} text={text} />)}
    </WithPharmacy>
  )
}
