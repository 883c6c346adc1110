import { type ReactNode, Suspense } from 'react'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Toaster } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { Footer } from './footer.tsx'
import { SkipLink } from './skip-link.tsx'

type StaffFrameProps = {
  header: ReactNode
  /** Below the footer. What fails in it is left out. */
  end?: ReactNode
  children: ReactNode
}

/** Common layout of all signed-in pages, of a pharmacy or of the administration. */
export function StaffFrame({ header, end, children }: StaffFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      {header}
      <main
        id="contenuto"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-360 flex-1 flex-col px-4 pt-3.5 outline-none md:pt-7 lg:px-6"
      >
        <Suspense fallback={<PageSpinner />}>{children}</Suspense>
      </main>
      <Footer />
      <ErrorBoundary fallback={null}>
        <Suspense>{end}</Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <Toaster />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
