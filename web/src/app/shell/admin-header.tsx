import { paths } from '@bancone/contract/pages'
import { LogOut, ShieldCheck } from 'lucide-react'
import { NavLink } from 'react-router'
import { adminSession } from '../../lib/session.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { AdminMark } from './admin-mark.tsx'
import { AdminMenu, AdminNavigation } from './admin-navigation.tsx'

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
