import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export { toast } from 'sonner'

function place() {
  let show = () => {}
  const shown = new Promise<void>((resolve) => {
    show = resolve
  })
  return { show, shown }
}

let next = place()

/** Resolves once toasts have a place to appear: one sent earlier would be lost. */
export function toasterShown(): Promise<void> {
  return next.shown
}

export function Toaster() {
  useEffect(() => {
    next.show()
    return () => {
      next = place()
      // It goes with the session: what was said to one user is not for the next.
      toast.dismiss()
    }
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
