import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'

function message(error: unknown): string {
  // 'Errore API: 500' contains the status of the workflow, which only the response knows.
  if (error instanceof ApiError && error.code === 'assistant.failed') return error.message
  const text = errorMessage(error)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export function draftFailure(error: unknown): string {
  return `Impossibile generare i dati: ${message(error)}`
}

/** Retrying is useless while no assistant is configured. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError && error.code === 'assistant.not_configured')
}
