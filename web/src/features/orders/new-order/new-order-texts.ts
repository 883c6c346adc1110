import { hasCode } from '../../../lib/api.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { isKeyReused } from './attempt.ts'

/** The message of a failed creation, and the field it belongs to; null for the whole form. */
type CreationFailure = { field: 'ID Ordine' | null; text: string }

export function creationFailure(error: unknown): CreationFailure {
  if (isKeyReused(error)) {
    return {
      field: null,
      text: "L'ordine era già stato salvato, con i dati di prima: lo trovi nell'elenco. Se ne vuoi un altro con questi dati, premi di nuovo «Salva».",
    }
  }
  const taken = hasCode(error, 'orders.number_taken')
  return { field: taken ? 'ID Ordine' : null, text: errorMessage(error) }
}
