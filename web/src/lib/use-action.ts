import type { ErrorCode } from '@bancone/contract/errors'
import { isAuthError } from '@supabase/auth-js'
import { useState } from 'react'
import { ApiError, hasCode } from './api.ts'
import { authErrorMessage } from './auth-messages.ts'
import { errorMessage } from './messages.ts'
import { useFailure } from './use-failure.ts'

/**
 * The Italian text of an error, whichever service it comes from.
 *
 * @param otherwise text for an unknown error of the authentication service
 */
export function problemText(error: unknown, otherwise = errorMessage(error)): string {
  if (error instanceof ApiError) return errorMessage(error)
  return authErrorMessage(error, otherwise)
}

/** The authentication service's code of an error; null for other errors. */
export function problemCode(error: unknown): string | null {
  return isAuthError(error) ? (error.code ?? null) : null
}

/**
 * Awaits the removal of an item. It is no failure that the item was removed elsewhere already.
 *
 * @param goneCode the error that says so
 */
export async function unlessGone(removal: Promise<unknown>, goneCode: ErrorCode): Promise<void> {
  try {
    await removal
  } catch (error) {
    if (!hasCode(error, goneCode)) throw error
  }
}

/**
 * An asynchronous action that may fail.
 *
 * @param otherwise text for an unknown error of the authentication service
 */
export function useAction(otherwise?: string) {
  const [busy, setBusy] = useState(false)
  const { failure, fail, clearFailure } = useFailure()

  return {
    busy,
    failure,
    fail,
    clearFailure,
    /** Clears the last failure. Does nothing while the action is running. @param explain the text of its failure */
    async run(
      action: () => Promise<void>,
      explain = (error: unknown) => problemText(error, otherwise),
    ): Promise<void> {
      if (busy) return
      clearFailure()
      setBusy(true)
      try {
        await action()
      } catch (error) {
        fail(explain(error))
      } finally {
        setBusy(false)
      }
    },
  }
}
