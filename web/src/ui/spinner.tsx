import { LoaderCircle } from 'lucide-react'

/** Fills the window while the page is loading. The footer is not shown with it (`styles.css`). */
export function PageSpinner() {
  return (
    <div
      role="status"
      data-loading
      className="grid min-h-dvh flex-1 place-items-center pb-[30dvh] text-muted"
    >
      <LoaderCircle aria-hidden className="size-7 animate-spin text-accent" />
      <span className="sr-only">Caricamento in corso…</span>
    </div>
  )
}
