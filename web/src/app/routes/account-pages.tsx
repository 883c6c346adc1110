import { Suspense } from 'react'
import { NavLink, Outlet } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { cn } from '../../ui/class-names.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { accountPagesFor } from '../shell/navigation.ts'

/** On a phone the row of pages is wider than the screen. */
function reveal(link: HTMLElement | null) {
  link?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
}

/** Layout of the pages about the account and the colleagues, with their navigation. */
export function AccountPages() {
  const { data: pharmacy } = useOwnPharmacy()
  const pages = accountPagesFor(pharmacy)
  return (
    <>
      {pages.length > 1 ? (
        <nav aria-label="Account" className="mx-auto mb-4 w-full max-w-3xl md:mb-6 print:hidden">
          <ul className="flex gap-1 overflow-x-auto border-b border-line max-sm:-mx-4 max-sm:px-4">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end
                  className={({ isActive }) =>
                    cn(
                      '-mb-px inline-flex h-11 items-center border-b-2 px-3 text-sm font-medium whitespace-nowrap -outline-offset-2 transition-colors',
                      isActive
                        ? 'border-accent text-ink'
                        : 'border-transparent text-muted hover:text-ink',
                    )
                  }
                >
                  {({ isActive }) => <span ref={isActive ? reveal : null}>{label}</span>}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <Suspense fallback={<PageSpinner />}>
        <Outlet />
      </Suspense>
    </>
  )
}
