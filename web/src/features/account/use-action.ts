import { isAuthError } from '@supabase/auth-js'
import { useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { errorMessage } from '../../lib/messages.ts'

/** What could not be done, in Italian, whichever service said so; `otherwise` for what has no words. */
export function problemText(error: unknown, otherwise: string): string {
  if (error instanceof ApiError) return errorMessage(error)
  return authErrorMessage(error, otherwise)
}

/** What the authentication service calls the problem; null for all others. */
export function problemCode(error: unknown): string | null {
  return isAuthError(error) ? (error.code ?? null) : null
}

/** Each is a new one, so that the same words are read out again. */
export type Failure = { text: string; count: number }

/**
 * One thing to do, which takes its time and may fail.
 *
 * @param otherwise says that it failed where nothing is known of why
 */
export function useAction(otherwise: string) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  function fail(text: string) {
    setFailure((before) => ({ text, count: (before?.count ?? 0) + 1 }))
  }

  return {
    busy,
    failure,
    fail,
    forget: () => setFailure(null),
    /** Nothing while it is under way. */
    async run(action: () => Promise<void>): Promise<void> {
      if (busy) return
      setBusy(true)
      try {
        await action()
      } catch (error) {
        fail(problemText(error, otherwise))
      } finally {
        setBusy(false)
      }
    },
  }
}
