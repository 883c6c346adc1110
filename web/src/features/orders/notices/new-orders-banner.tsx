import { BellRing } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { toastError } from '../../../ui/toast.ts'
import { newOrdersText } from '../data/use-new-orders.ts'

type NewOrdersBannerProps = {
  count: number
  /** Navigates to the new orders; null when they are on screen. */
  show: { label: string; run: () => void } | null
  onSeen: () => Promise<void>
}

/** Shown until a user of the pharmacy has seen the new orders, on any device. */
export function NewOrdersBanner({ count, show, onSeen }: NewOrdersBannerProps) {
  const [done, setDone] = useState(false)
  const result = useRef<HTMLParagraphElement>(null)

  async function markSeen() {
    // The button disappears with the banner: the focus moves to the status text.
    result.current?.focus({ preventScroll: true })
    try {
      await onSeen()
      setDone(true)
    } catch (error) {
      toastError('Impossibile segnare gli ordini come visti', {
        about: 'orders-seen',
        description: errorMessage(error),
      })
    }
  }

  return (
    <>
      <p ref={result} tabIndex={-1} role="status" className="sr-only">
        {done && count === 0 ? 'Nessun ordine nuovo: sono stati segnati come visti.' : null}
      </p>
      {count > 0 ? (
        <section
          aria-label="Nuovi ordini"
          className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-confirmed-line bg-accent-soft py-1.5 pr-1.5 pl-3.5 print:hidden"
        >
          <BellRing aria-hidden className="size-4.5 shrink-0 text-accent max-sm:hidden" />
          <p className="flex-1 basis-32 font-medium text-accent tabular-nums">
            {newOrdersText(count)}
          </p>
          <div className="flex flex-wrap gap-2">
            {show ? (
              <Button look="primary" onClick={show.run}>
                {show.label}
              </Button>
            ) : null}
            <Button onClick={() => void markSeen()}>Segna come visti</Button>
          </div>
        </section>
      ) : null}
    </>
  )
}
