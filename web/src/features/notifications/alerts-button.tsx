import { SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'

const AlertsDialog = lazy(async () => ({
  default: (await import('./alerts-dialog.tsx')).AlertsDialog,
}))

/**
 * Opens the notification settings of this device.
 *
 * @param arrivals the pharmacy has priority access
 */
export function AlertsButton({ arrivals }: { arrivals: boolean }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={button}
        size="square"
        aria-label="Avvisi"
        title="Avvisi"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden />
      </Button>
      {open ? (
        <Suspense>
          <AlertsDialog
            arrivals={arrivals}
            onClose={() => setOpen(false)}
            onReturnFocus={() => button.current?.focus()}
          />
        </Suspense>
      ) : null}
    </>
  )
}
