import type { ErrorCode } from '@bancone/contract/errors'
import { isAuthApiError, isAuthRetryableFetchError } from '@supabase/auth-js'
import { ApiError } from './api.ts'

const unreachable = 'Il server non risponde. Controlla la connessione e riprova.'

const tooMany = 'Troppi tentativi. Attendi qualche minuto e riprova.'

/** For who was at work when the session ended. */
export const sessionEnded = 'La sessione è scaduta. Accedi di nuovo.'

const messages: Record<ErrorCode, string> = {
  'request.invalid': 'La richiesta non è valida. Ricarica la pagina e riprova.',
  'request.too_large': 'I dati inviati sono troppo grandi.',
  'session.missing': sessionEnded,
  'session.unknown_user': 'Questo utente non esiste più. Accedi di nuovo.',
  'pharmacy.not_found': 'A questo accesso non corrisponde nessuna farmacia.',
  'pharmacy.inactive': 'La farmacia non è attiva.',
  'access.denied': 'Non hai i permessi per questa operazione.',
  'route.not_found': 'Questa funzione non esiste più. Ricarica la pagina.',
  'orders.not_found': "L'ordine non esiste più.",
  'orders.source_refused': "Airtable ha rifiutato la modifica: l'ordine è rimasto com'era.",
  'service.unavailable': 'Il servizio non è disponibile in questo momento. Riprova tra poco.',
  internal: 'Si è verificato un errore imprevisto. Riprova più tardi.',
}

/** What went wrong with a call of our API, in Italian. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.internal
  // The one kind nobody foresaw: with its number the request can be found in the log.
  if (error.code === 'internal' && error.requestId !== null)
    return `${messages.internal} Codice: ${error.requestId}`
  if (error.code !== null) return messages[error.code]
  return error.status === 0 ? unreachable : messages.internal
}

const authMessages = new Map([
  ['invalid_credentials', 'Credenziali non valide. Riprova per favore.'],
  ['email_not_confirmed', "L'indirizzo email non è ancora confermato."],
  ['email_address_invalid', "L'indirizzo email non è valido."],
  ['user_banned', "Questo accesso è stato disattivato. Contatta l'assistenza."],
  ['over_request_rate_limit', tooMany],
  ['over_email_send_rate_limit', 'Troppe richieste. Attendi qualche minuto e riprova.'],
])

/** What went wrong with the authentication service, in Italian; `otherwise` for what has no words. */
export function authErrorMessage(error: unknown, otherwise: string): string {
  if (isAuthRetryableFetchError(error)) return unreachable
  if (!isAuthApiError(error)) return otherwise
  return authMessages.get(error.code ?? '') ?? (error.status === 429 ? tooMany : otherwise)
}
