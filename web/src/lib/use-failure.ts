import { useState } from 'react'

/** `count` differs each time, so that screen readers announce the same text again. */
export type Failure = { text: string; count: number }

/** The last failure of a form or button, to be shown by `FailureAlert`. */
export function useFailure() {
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    failure,
    fail: (text: string) => setFailure((before) => ({ text, count: (before?.count ?? 0) + 1 })),
    clearFailure: () => setFailure(null),
  }
}
