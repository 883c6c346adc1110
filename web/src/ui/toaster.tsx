import { useEffect } from 'react'
import { Toaster as Sonner } from 'sonner'

export { toast } from 'sonner'

let shown = () => {}

/** Resolves once toasts have a place to appear: one sent earlier would be lost. */
export const toasterShown = new Promise<void>((resolve) => {
  shown = resolve
})

export function Toaster() {
  useEffect(() => shown(), [])
  return (
    <Sonner
      theme="system"
      position="bottom-right"
      containerAriaLabel="Avvisi"
      toastOptions={{
        classNames: {
          toast: '!rounded-card !border-line !bg-surface !text-ink !shadow-float !font-sans',
          description: '!text-muted',
          error: '[&_[data-icon]]:!text-danger',
        },
        closeButtonAriaLabel: "Chiudi l'avviso",
      }}
    />
  )
}
