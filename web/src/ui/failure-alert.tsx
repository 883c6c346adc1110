import type { Failure } from '../lib/use-failure.ts'
import { Alert } from './alert.tsx'

/** Shows a failure; nothing for null. */
export function FailureAlert({ failure }: { failure: Failure | null }) {
  if (failure === null) return null
  return (
    <Alert key={failure.count} tone="error">
      {failure.text}
    </Alert>
  )
}
