import { LoaderCircle } from 'lucide-react'

/** Fills the window while the page is loading, so that the footer does not move later. */
export function PageSpinner() {
  return (
    <div role="status" className="grid min-h-dvh flex-1 place-items-center pb-[30dvh] text-muted">
      <LoaderCircle aria-hidden className="size-7 animate-spin text-accent" />
      <span className="sr-only">Caricamento in corso…</span>
    </div>
  )
}
