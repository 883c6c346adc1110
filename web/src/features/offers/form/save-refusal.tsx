import type { ReactNode, RefObject } from 'react'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { SaveFailure } from './save-failure.ts'

type SaveRefusalProps = {
  failure: SaveFailure
  busy: boolean
  onInactive: () => void
  onAsNew: () => void
  focusFallback: RefObject<HTMLElement | null>
}

/** Why the offer was not saved, and how to proceed. */
export function SaveRefusal({
  failure,
  busy,
  onInactive,
  onAsNew,
  focusFallback,
}: SaveRefusalProps) {
  const place = useFocusFallback(focusFallback)
  const button = (label: string, run: () => void): ReactNode => (
    <Button size="small" inactive={busy} onClick={run}>
      {label}
    </Button>
  )
  const action =
    failure.code === 'offers.limit_reached'
      ? button('Salva come inattiva', onInactive)
      : failure.code === 'offers.not_found'
        ? button('Salva come nuova', onAsNew)
        : null
  return (
    <div ref={place}>
      <Alert tone="error" action={action}>
        <p className="font-medium">{failure.title}</p>
        <p>{failure.reason}</p>
      </Alert>
    </div>
  )
}
