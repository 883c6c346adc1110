import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'

function message(error: unknown): string {
  // 'Errore API: 500': the status is that of the workflow, which only the answer knows.
  if (error instanceof ApiError && error.code === 'assistant.failed') return error.message
  const text = errorMessage(error)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export function draftFailure(error: unknown): string {
  return `Impossibile generare i dati: ${message(error)}`
}

/** As long as nobody configures it, there is no use in trying again. */
export function canPass(error: unknown): boolean {
  return !(error instanceof ApiError && error.code === 'assistant.not_configured')
}
