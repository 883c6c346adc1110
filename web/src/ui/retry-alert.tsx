import type { ReactNode } from 'react'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'

type RetryAlertProps = {
  /** A retry is under way. */
  busy?: boolean
  onRetry: () => void
  children: ReactNode
}

/** An error with a button to try again. */
export function RetryAlert({ busy = false, onRetry, children }: RetryAlertProps) {
  return (
    <Alert
      tone="error"
      action={
        <Button size="small" className="max-md:h-11 max-md:px-4" inactive={busy} onClick={onRetry}>
          Riprova
        </Button>
      }
    >
      {children}
    </Alert>
  )
}
