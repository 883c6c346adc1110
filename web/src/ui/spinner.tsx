import { LoaderCircle } from 'lucide-react'

/** Fills the page while it is not known what to show: the whole window, so that no footer jumps later. */
export function PageSpinner() {
  return (
    <div role="status" className="grid min-h-dvh flex-1 place-items-center pb-[30dvh] text-muted">
      <LoaderCircle aria-hidden className="size-7 animate-spin text-accent" />
      <span className="sr-only">Caricamento in corso…</span>
    </div>
  )
}
