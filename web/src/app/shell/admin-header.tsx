import { paths } from '@bancone/contract/pages'
import { LogOut, Menu as MenuIcon, ShieldCheck } from 'lucide-react'
import { NavLink } from 'react-router'
import { adminSession } from '../../lib/session.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'
import { AdminMark } from './admin-mark.tsx'

/** @param email of the administrator; null while the role is not confirmed */
export function AdminHeader({ email }: { email: string | null }) {
  const wide = useMediaQuery(WIDE)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface print:static">
      <div className="mx-auto flex h-14 w-full max-w-360 items-center gap-3 px-4 lg:px-6 xl:gap-4">
        <AdminMark to={paths.adminDashboard} />
        {email !== null && wide ? <AdminNavigation /> : null}
        <div className="ml-auto flex min-w-0 items-center gap-2 max-lg:shrink-0 print:hidden">
          {email !== null && wide ? (
            <NavLink
              to={paths.adminAccount}
              aria-label={`Sicurezza: ${email}`}
              className={cn(buttonStyle({ look: 'quiet' }), 'min-w-11 shrink!')}
            >
              <ShieldCheck aria-hidden />
              <span className="truncate max-xl:hidden">{email}</span>
            </NavLink>
          ) : null}
          <Button look="secondary" onClick={() => adminSession.signOut()}>
            <LogOut aria-hidden />
            Esci
          </Button>
          {email !== null && !wide ? <AdminMenu email={email} /> : null}
        </div>
      </div>
    </header>
  )
}

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
function AdminNavigation() {
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
function AdminMenu({ email }: { email: string }) {
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
