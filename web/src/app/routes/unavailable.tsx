import { paths } from '@bancone/contract/pages'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

type UnavailableProps = { icon: ReactNode; title: string; children: ReactNode }

/** In place of a page that the user or the pharmacy may not use. */
export function Unavailable({ icon, title, children }: UnavailableProps) {
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={icon}
        title={title}
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        {children}
      </EmptyState>
    </div>
  )
}
