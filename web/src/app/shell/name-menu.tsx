import { paths } from '@bancone/contract/pages'
import {
  ChevronDown,
  KeyRound,
  LogOut,
  type LucideIcon,
  Package,
  ShieldCheck,
  Users,
} from 'lucide-react'
import { NavLink } from 'react-router'
import { pharmacySession } from '../../lib/session.ts'
import { Menu, MenuItem, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'
import type { NavigationEntry } from './navigation.ts'
import { NewsCount } from './news-count.tsx'

const icons: Readonly<Record<string, LucideIcon>> = {
  [paths.productDraft]: Package,
  [paths.account]: ShieldCheck,
  [paths.colleagues]: Users,
  [paths.apiKeys]: KeyRound,
}

type NameMenuProps = {
  /** Of the pharmacy. */
  name: string
  /** Who is signed in; null where that is all there is to say. */
  person: string | null
  /** The links that have no room in the bar. */
  entries: readonly NavigationEntry[]
  /** The links that never stand in the bar. */
  tools: readonly NavigationEntry[]
  /** How many new things there are, by the page they are on. */
  news: Readonly<Record<string, number>>
}

export function NameMenu({ name, person, entries, tools, news }: NameMenuProps) {
  // What the list holds and does not show while it is closed.
  const hidden = entries.reduce((sum, { to }) => sum + (news[to] ?? 0), 0)
  const label = (
    <>
      <span className="truncate">{name}</span>
      <NewsCount count={hidden} />
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
      {entries.map(({ to, label: text }) => (
        <NavLink key={to} to={to} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
          {text}
          <NewsCount count={news[to] ?? 0} />
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
