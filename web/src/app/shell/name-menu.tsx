import { paths } from '@bancone/contract/pages'
import { ChevronDown, KeyRound, LogOut, Package } from 'lucide-react'
import { NavLink } from 'react-router'
import { pharmacySession } from '../../lib/session.ts'
import { Menu, MenuItem, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'
import type { NavigationEntry } from './navigation.ts'
import { NewsCount } from './news-count.tsx'

type NameMenuProps = {
  name: string
  /** The links that have no room in the bar. */
  entries: readonly NavigationEntry[]
  /** The links that never stand in the bar. */
  tools: readonly NavigationEntry[]
  /** How many new things there are, by the page they are on. */
  news: Readonly<Record<string, number>>
}

export function NameMenu({ name, entries, tools, news }: NameMenuProps) {
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
        <span className="max-w-64 truncate">{name}</span>
      </MenuItem>
      <MenuSeparator />
      {entries.map(({ to, label: text }) => (
        <NavLink key={to} to={to} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
          {text}
          <NewsCount count={news[to] ?? 0} />
        </NavLink>
      ))}
      {entries.length > 0 ? <MenuSeparator /> : null}
      {tools.map(({ to, label: text }) => (
        <NavLink key={to} to={to} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
          <Package aria-hidden />
          {text}
        </NavLink>
      ))}
      <NavLink to={paths.apiKeys} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
        <KeyRound aria-hidden />
        Chiavi API
      </NavLink>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => pharmacySession.signOut()}>
        <LogOut aria-hidden />
        Logout
      </MenuItem>
    </Menu>
  )
}
