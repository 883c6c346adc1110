import { NavLink } from 'react-router'
import { cn } from '../../ui/class-names.ts'

type PageTabsProps = {
  label: string
  pages: readonly { to: string; label: string }[]
  className?: string
}

/** On a phone the row of pages may be wider than the screen. */
function reveal(link: HTMLElement | null) {
  link?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
}

/** Navigation between pages that belong together. */
export function PageTabs({ label, pages, className }: PageTabsProps) {
  return (
    <nav aria-label={label} className={cn('mb-4 md:mb-6 print:hidden', className)}>
      <ul className="flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line max-sm:-mx-4 max-sm:px-4">
        {pages.map(({ to, label: name }) => (
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
              {({ isActive }) => <span ref={isActive ? reveal : null}>{name}</span>}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
