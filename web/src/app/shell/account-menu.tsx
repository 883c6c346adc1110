import { paths } from '@bancone/contract/pages'
import {
  ChevronDown,
  Clock,
  KeyRound,
  LogOut,
  type LucideIcon,
  Package,
  ShieldCheck,
  Store,
  UserRoundSearch,
  Users,
} from 'lucide-react'
import { NavLink } from 'react-router'
import { pharmacySession } from '../../lib/session.ts'
import { Menu, MenuItem, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'
import type { NavigationEntry } from './navigation.ts'
import { type News, NewsCount } from './news-count.tsx'

const icons: Readonly<Record<string, LucideIcon>> = {
  [paths.productDraft]: Package,
  [paths.account]: ShieldCheck,
  [paths.pharmacyProfile]: Store,
  [paths.colleagues]: Users,
  [paths.apiKeys]: KeyRound,
  [paths.customerData]: UserRoundSearch,
  [paths.pharmacyAudit]: Clock,
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

export function AccountMenu({ name, person, entries, tools, news }: AccountMenuProps) {
  const label = (
    <>
      <span className="truncate">{name}</span>
      {/* What is new behind the hidden links. */}
      <NewsCount of={entries.map(({ to }) => news[to])} />
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted print:hidden" />
    </>
  )
  return (
    <Menu
      label={label}
      buttonClassName="flex h-11 max-w-full min-w-0 items-center gap-1.5 rounded-control px-2 text-sm font-medium hover:bg-sunken aria-expanded:bg-sunken md:h-9 pointer-coarse:h-11"
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
      {tools.map(({ to, label: text }) => {
        const Icon = icons[to]
        return (
          <NavLink key={to} to={to} end role="menuitem" tabIndex={-1} className={menuItemStyle()}>
            {Icon ? <Icon aria-hidden /> : null}
            {text}
          </NavLink>
        )
      })}
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => pharmacySession.signOut()}>
        <LogOut aria-hidden />
        Logout
      </MenuItem>
    </Menu>
  )
}
