import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Link, NavLink } from 'react-router'
import { webLink } from '../../lib/links.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cn } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AccountMenu } from './account-menu.tsx'
import { accountPagesFor, navigationFor, toolsFor } from './navigation.ts'
import { arrivalsNews, type News, NewsCount, ordersNews } from './news-count.tsx'

type TopBarProps = {
  pharmacy: OwnPharmacy | undefined
  /** The pharmacy could not be loaded: show a generic name. */
  unknown: boolean
  /** Number of unseen orders. */
  unseen: number
  /** Number of customers who wait at the pharmacy. */
  waiting: number
}

/** A picture of this server. `variantUrl` knows more hosts, and would be loaded with the first page for this alone. */
const OURS = /^\/images\/[^/]+\/[^/]+$/

function logoOf(url: string | null | undefined): string | null {
  const link = webLink(url)
  return link && OURS.test(link) ? `${link}/thumbnail` : link
}

export function TopBar({ pharmacy, unknown, unseen, waiting }: TopBarProps) {
  const wide = useMediaQuery(WIDE)
  const entries = navigationFor(pharmacy)
  const news: Record<string, News> = {
    [paths.dashboard]: ordersNews(unseen),
    [paths.priority]: arrivalsNews(waiting),
  }
  const name = pharmacy?.name ?? (unknown ? 'La tua farmacia' : null)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface print:static">
      <div className="mx-auto flex h-14 w-full max-w-360 items-center gap-4 px-4 lg:px-6">
        <Link
          to={paths.dashboard}
          aria-label="Bancone, pagina iniziale"
          className="grid shrink-0 place-items-center rounded-control pointer-coarse:-mx-1.5 pointer-coarse:size-11"
        >
          {name === null ? (
            <Skeleton shape="control" className="size-8" />
          ) : (
            <Avatar name={name} image={logoOf(pharmacy?.logoUrl)} />
          )}
        </Link>
        {wide ? (
          <nav aria-label="Principale" className="flex items-center gap-1 print:hidden">
            {entries.map(({ to, label }) => (
              <NavLink
                key={to}
                to={to}
                end={to === paths.dashboard}
                className={({ isActive }) =>
                  cn(
                    'inline-flex h-9 pointer-coarse:h-11 items-center gap-1.5 rounded-control px-3 text-sm font-medium transition-colors',
                    isActive ? 'bg-sunken text-ink' : 'text-muted hover:bg-sunken hover:text-ink',
                  )
                }
              >
                {label}
                <NewsCount of={[news[to]]} />
              </NavLink>
            ))}
          </nav>
        ) : null}
        <div className="ml-auto min-w-0">
          {name === null ? (
            <Skeleton className="h-4 w-36" />
          ) : (
            <AccountMenu
              name={name}
              person={pharmacy?.personName ?? null}
              entries={wide ? [] : entries}
              tools={[...toolsFor(pharmacy), ...accountPagesFor(pharmacy)]}
              news={news}
            />
          )}
        </div>
      </div>
    </header>
  )
}
