import { paths } from '@bancone/contract/pages'
import { UserLock } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type ForOwnersProps = {
  /** What is said to others: that it is for owners, and what to do. */
  title: string
  text: string
  children: ReactNode
}

function NotForYou({ title, text }: Omit<ForOwnersProps, 'children'>) {
  const here = useRef<HTMLDivElement>(null)
  // It may come in the place of what had the focus: somebody's role has changed.
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

/** A page for the owners of the pharmacy, once it is known whether this is one. */
export function ForOwners({ title, text, children }: ForOwnersProps) {
  return (
    <WithPharmacy>
      {({ role }) => (role === 'owner' ? children : <NotForYou title={title} text={text} />)}
    </WithPharmacy>
  )
}
