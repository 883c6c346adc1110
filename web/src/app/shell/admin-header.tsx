import { paths } from '@bancone/contract/pages'
import { LogOut, ShieldCheck } from 'lucide-react'
import { NavLink } from 'react-router'
import { adminSession } from '../../lib/session.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { AdminMark } from './admin-mark.tsx'

/** @param email of the administrator; null while the role is not confirmed */
export function AdminHeader({ email }: { email: string | null }) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface print:static">
      <div className="mx-auto flex h-14 w-full max-w-360 items-center gap-4 px-4 lg:px-6">
        <AdminMark to={paths.adminDashboard} />
        <div className="ml-auto flex min-w-0 items-center gap-3 max-sm:shrink-0 print:hidden">
          {email ? (
            <NavLink
              to={paths.adminAccount}
              aria-label={`Sicurezza: ${email}`}
              className={cn(buttonStyle({ look: 'quiet' }), 'min-w-11 shrink!')}
            >
              <ShieldCheck aria-hidden />
              <span className="truncate max-sm:hidden">{email}</span>
            </NavLink>
          ) : null}
          <Button look="secondary" onClick={() => adminSession.signOut()}>
            <LogOut aria-hidden />
            Esci
          </Button>
        </div>
      </div>
    </header>
  )
}
