import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'

export { toast } from 'sonner'

function createReadiness() {
  let show = () => {}
  const shown = new Promise<void>((resolve) => {
    show = resolve
  })
  return { show, shown }
}

let next = createReadiness()

/** Resolves once the toaster is mounted: a toast sent earlier would be lost. */
export function toasterReady(): Promise<void> {
  return next.shown
}

export function Toaster() {
  useEffect(() => {
    next.show()
    return () => {
      next = createReadiness()
      // Unmounts at the end of the session: messages to one user must not be visible to the next.
      toast.dismiss()
    }
  }, [])
  return (
    <Sonner
      theme="system"
      position="bottom-center"
      containerAriaLabel="Avvisi"
      // Above open dialogs, which leave the pointer to themselves; `styles.css` keeps it off their buttons.
      style={{ zIndex: 60, pointerEvents: 'auto' }}
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
