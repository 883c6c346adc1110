import { type ReactNode, Suspense } from 'react'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Toaster } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { Footer } from './footer.tsx'

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

/** The first focusable element of a page: skips the top bar. */
function SkipLink() {
  return (
    <a
      href="#contenuto"
      onClick={(event) => {
        // The hash of the URL must not change: the list of orders stores its search text there.
        event.preventDefault()
        document.getElementById('contenuto')?.focus()
      }}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 text-on-accent focus:translate-y-0 print:hidden"
    >
      Vai al contenuto
    </a>
  )
}
