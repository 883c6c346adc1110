import { paths } from '@bancone/contract/pages'
import { Menu as MenuIcon, ShieldCheck } from 'lucide-react'
import { NavLink } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'

/** Links of the administration, in their order. */
const entries: readonly { to: string; label: string }[] = [
  { to: paths.adminDashboard, label: 'Dashboard' },
  { to: paths.adminPharmacies, label: 'Farmacie' },
  { to: paths.adminPlans, label: 'Piani' },
  { to: paths.adminCategories, label: 'Categorie' },
  { to: paths.adminMigrations, label: 'Migrazioni' },
  { to: paths.adminAudit, label: 'Registro' },
  { to: paths.adminSettings, label: 'Impostazioni' },
]

/** The links in the top bar of a wide screen. */
export function AdminNavigation() {
  return (
    <nav aria-label="Principale" className="flex items-center gap-1 print:hidden">
      {entries.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className={({ isActive }) =>
            cn(
              'inline-flex h-9 items-center rounded-control px-2.5 text-sm font-medium transition-colors xl:px-3 pointer-coarse:h-11',
              isActive ? 'bg-sunken text-ink' : 'text-muted hover:bg-sunken hover:text-ink',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

/** The links, and the one to the administrator's own account, as the menu of a narrow screen. */
export function AdminMenu({ email }: { email: string }) {
  return (
    <Menu
      onHover={false}
      label={
        <>
          <MenuIcon aria-hidden />
          <span className="sr-only">Menu</span>
        </>
      }
      buttonClassName={buttonStyle({ look: 'quiet', size: 'square' })}
    >
      {entries.map(({ to, label }) => (
        <NavLink key={to} to={to} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
          {label}
        </NavLink>
      ))}
      <MenuSeparator />
      <NavLink to={paths.adminAccount} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
        <ShieldCheck aria-hidden />
        <span className="min-w-0">
          <span className="block">Sicurezza</span>
          <span className="block truncate text-sm font-normal text-muted">{email}</span>
        </span>
      </NavLink>
    </Menu>
  )
}
