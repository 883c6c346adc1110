import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

type Props = {
  children: ReactNode
  /** Replaces an optional part of the page; without it the error replaces the whole page. */
  fallback?: ReactNode
}

/** Catches errors of rendering, and of code that could not be loaded. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { children, fallback } = this.props
    if (!this.state.failed) return children
    if (fallback !== undefined) return fallback
    return (
      <main className="grid min-h-dvh place-content-center">
        <div role="alert" className="grid justify-items-center gap-2 p-6 text-center">
          <h1 className="text-xl font-medium">Qualcosa non ha funzionato</h1>
          <p className="max-w-sm text-muted">
            La pagina si è interrotta, forse perché Bancone è stato aggiornato. Ricaricala per
            continuare.
          </p>
          <Button look="primary" className="mt-3" onClick={() => location.reload()}>
            Ricarica la pagina
          </Button>
        </div>
      </main>
    )
  }
}
