import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Toaster } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { AdminHeader } from './admin-header.tsx'
import { Footer } from './footer.tsx'
import { SkipLink } from './skip-link.tsx'

/** The frame of the pages of the administration. */
export function AdminShell({ email }: { email: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <AdminHeader email={email} />
      <main
        id="contenuto"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-360 flex-1 flex-col px-4 pt-5 outline-none md:pt-7 lg:px-6"
      >
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
      <ErrorBoundary fallback={null}>
        <Suspense>
          <Toaster />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
