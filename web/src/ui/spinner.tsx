import { LoaderCircle } from 'lucide-react'

/** Fills the page while it is not known what to show. */
export function PageSpinner() {
  return (
    <div role="status" className="grid min-h-[60dvh] flex-1 place-items-center text-muted">
      <LoaderCircle aria-hidden className="size-7 animate-spin text-accent" />
      <span className="sr-only">Caricamento in corso…</span>
    </div>
  )
}
