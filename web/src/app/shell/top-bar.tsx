import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import type { ReactNode } from 'react'
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
  /** What calls for attention at once, and whether it needs a row of its own where the bar is narrow. */
  alert: ReactNode
  alertNeedsRow: boolean
}

/** A picture of this server. `variantUrl` knows more hosts, and would be loaded with the first page for this alone. */
const OURS = /^\/images\/[^/]+\/[^/]+$/

function logoOf(url: string | null | undefined): string | null {
  const link = webLink(url)
  return link && OURS.test(link) ? `${link}/thumbnail` : link
}

/**
 * The alert is part of the sticky bar, so that nothing is ever beneath it. The style sheet knows the height of its row
 * (`--top-bar`).
 */
export function TopBar({ pharmacy, unknown, unseen, waiting, ...rest }: TopBarProps) {
  const wide = useMediaQuery(WIDE)
  const entries = navigationFor(pharmacy)
  const news: Record<string, News> = {
    [paths.dashboard]: ordersNews(unseen),
    [paths.priority]: arrivalsNews(waiting),
  }
  const name = pharmacy?.name ?? (unknown ? 'La tua farmacia' : null)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface print:static">
      <div className="mx-auto grid w-full max-w-360 grid-cols-[auto_auto_minmax(0,1fr)_auto_minmax(0,max-content)] grid-rows-[56px] items-center px-4 lg:px-6">
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
          <nav aria-label="Principale" className="ml-4 flex items-center gap-1 print:hidden">
            {entries.map(({ to, label, title, ownDocument }) => (
              <NavLink
                key={to}
                to={to}
                title={title}
                reloadDocument={ownDocument === true}
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
        <div
          data-alert-row={rest.alertNeedsRow || undefined}
          className={cn(
            'flex min-w-0 items-center print:hidden xl:col-start-4 xl:row-start-1',
            rest.alertNeedsRow
              ? [
                  'has-[button]:bg-accent-soft max-xl:col-span-full max-xl:row-start-2 max-xl:-mx-4 max-xl:px-4',
                  'max-xl:has-[button]:h-13 lg:max-xl:-mx-6 lg:max-xl:px-6 xl:has-[button]:h-11 xl:rounded-control xl:px-2',
                ]
              : 'col-start-4 row-start-1',
          )}
        >
          {rest.alert}
        </div>
        <div className="col-start-5 row-start-1 ml-3 min-w-0">
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
