import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export { toast } from 'sonner'

let shown = () => {}

/** Resolves once toasts have a place to appear: one sent earlier would be lost. */
export const toasterShown = new Promise<void>((resolve) => {
  shown = resolve
})

export function Toaster() {
  useEffect(() => {
    shown()
    // It goes with the session: what was said to one user is not for the next.
    return () => void toast.dismiss()
  }, [])
  return (
    <Sonner
      theme="system"
      position="bottom-center"
      containerAriaLabel="Avvisi"
      // Under an open dialog, which is the one thing at a time: it must not cover the way out of it.
      style={{ zIndex: 35 }}
      toastOptions={{
        classNames: {
          toast: '!rounded-card !border-line !bg-surface !text-ink !shadow-float !font-sans',
          description: '!text-muted',
          error: '[&_[data-icon]]:!text-danger',
          success: '[&_[data-icon]]:!text-accent',
          actionButton:
            '!h-9 !rounded-control !bg-accent-soft !px-3 !text-[13px] !font-medium !text-accent hover:!bg-sunken',
          closeButton: '!size-7 !border-line-strong !bg-surface !text-muted',
        },
        closeButtonAriaLabel: "Chiudi l'avviso",
      }}
    />
  )
}
