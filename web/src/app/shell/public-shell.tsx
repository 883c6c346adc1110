import { paths } from '@bancone/contract/pages'
import { Suspense } from 'react'
import { Link, Outlet } from 'react-router'
import type { Area } from '../../lib/session-state.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Wordmark } from '../../ui/wordmark.tsx'
import { AdminMark } from './admin-mark.tsx'
import { Footer } from './footer.tsx'

/** Layout of the pages without a session. @param area the area that they belong to */
export function PublicShell({ area }: { area: Area }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex h-14 w-full max-w-360 items-center px-4 lg:px-6">
          {area === 'admin' ? (
            <AdminMark to={paths.adminDashboard} />
          ) : (
            <Link to={paths.dashboard} className="inline-flex rounded-md">
              <Wordmark />
            </Link>
          )}
        </div>
      </header>
      <main className="flex flex-1 flex-col">
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
    </div>
  )
}
