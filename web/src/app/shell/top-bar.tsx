import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { ChevronDown, LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { webLink } from '../../lib/links.ts'
import { pharmacySession } from '../../lib/session.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuItem, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { accountPagesFor, type NavigationEntry, navigationFor, toolsFor } from './navigation.ts'

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
          <nav
            // New with the pharmacy, whose links come before those that are there already: nothing moves.
            key={pharmacy ? 'links' : 'few-links'}
            aria-label="Principale"
            className="ml-4 flex items-center gap-1 print:hidden"
          >
            {entries.map(({ to, label, title, ownDocument }) => (
              <NavLink
                key={to}
                to={to}
                title={title}
                reloadDocument={ownDocument === true}
                end={to === paths.dashboard}
                className={({ isActive }) =>
                  cn(
                    'relative inline-flex h-9 pointer-coarse:h-11 items-center rounded-control px-3 text-sm font-medium transition-colors',
                    isActive ? 'bg-sunken text-ink' : 'text-muted hover:bg-sunken hover:text-ink',
                  )
                }
              >
                {label}
                <NewsCount of={[news[to]]} className="absolute top-0 left-full -ml-3" />
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
        <div
          key={name === null ? 'no-name' : 'name'}
          className="col-start-5 row-start-1 ml-3 min-w-0"
        >
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

type AccountMenuProps = {
  /** Name of the pharmacy. */
  name: string
  /** Name of the signed-in person; null for the pharmacy's own account. */
  person: string | null
  /** Navigation links that do not fit into the top bar. */
  entries: readonly NavigationEntry[]
  /** Links that are only in the menu. */
  tools: readonly NavigationEntry[]
  /** What is new, by page. */
  news: Readonly<Record<string, News>>
}

function AccountMenu({ name, person, entries, tools, news }: AccountMenuProps) {
  const label = (
    <>
      <span className="truncate">{name}</span>
      {/* What is new behind the hidden links. */}
      <NewsCount of={entries.map(({ to }) => news[to])} className="absolute top-0 right-0.5" />
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted print:hidden" />
    </>
  )
  return (
    <Menu
      label={label}
      buttonClassName="relative flex h-11 max-w-full min-w-0 items-center gap-1.5 rounded-control px-2 text-sm font-medium hover:bg-sunken aria-expanded:bg-sunken md:h-9 pointer-coarse:h-11"
    >
      <MenuItem disabled>
        <span className="max-w-64 min-w-0">
          {person ? <span className="block truncate text-ink">{person}</span> : null}
          <span className="block truncate">{name}</span>
        </span>
      </MenuItem>
      <MenuSeparator />
      {entries.map(({ to, label: text, ownDocument }) => (
        <NavLink
          key={to}
          to={to}
          reloadDocument={ownDocument === true}
          role="menuitem"
          tabIndex={-1}
          className={menuItemStyle()}
        >
          {text}
          <NewsCount of={[news[to]]} />
        </NavLink>
      ))}
      {entries.length > 0 ? <MenuSeparator /> : null}
      {tools.map(({ to, label: text, icon: Icon }) => (
        <NavLink key={to} to={to} end role="menuitem" tabIndex={-1} className={menuItemStyle()}>
          {Icon ? <Icon aria-hidden /> : null}
          {text}
        </NavLink>
      ))}
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => pharmacySession.signOut()}>
        <LogOut aria-hidden />
        Logout
      </MenuItem>
    </Menu>
  )
}

/** Higher counts are shown as '99+'. */
const MAX_SHOWN = 99

/** What is new on a page. `text` is read out. */
type News = { count: number; text: string }

function ordersNews(count: number): News {
  return { count, text: count === 1 ? '1 nuovo ordine' : `${formatNumber(count)} nuovi ordini` }
}

function arrivalsNews(count: number): News {
  return {
    count,
    text: count === 1 ? '1 cliente in attesa' : `${formatNumber(count)} clienti in attesa`,
  }
}

type NewsCountProps = {
  of: readonly (News | undefined)[]
  /** Where it must not move what is beside it: a corner. */
  className?: string
}

/** Badge on links: how much is new behind them. Renders nothing for 0. */
function NewsCount({ of, className }: NewsCountProps) {
  const news = of.filter((each) => each !== undefined && each.count > 0)
  const count = news.reduce((sum, each) => sum + (each?.count ?? 0), 0)
  if (count === 0) return null
  return (
    <>
      <span
        aria-hidden
        className={cn(
          'inline-grid h-4 min-w-4 shrink-0 place-items-center rounded-full bg-accent px-1 text-[11px]/none font-medium text-on-accent tabular-nums print:hidden',
          className,
        )}
      >
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      </span>
      <span className="sr-only">{news.map((each) => each?.text).join(', ')}</span>
    </>
  )
}
