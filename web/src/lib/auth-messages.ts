import { errorText } from '@bancone/contract/errors'
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import {
  isAuthApiError,
  isAuthError,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
  isAuthWeakPasswordError,
} from '@supabase/auth-js'
import { sessionEnded, unavailable, unreachable } from './common-texts.ts'

/** Shown when a user without administrator rights signs in to the administration. */
export const notAdministrator = 'Non hai i permessi di amministratore'

/** Shown for a link from an email that was used or has expired. */
export const linkUsed = 'Il link è scaduto o è già stato usato.'
const linkOfAnotherBrowser = 'Il link non è più valido, o è stato aperto in un altro browser.'
const emailTaken = 'Questo indirizzo email è già usato da un altro accesso.'
const banned = "Questo accesso è stato disattivato. Contatta l'assistenza."
const returnLost = "L'accesso non si è concluso in questo browser: riprova da qui."
const signupClosed = 'Le registrazioni non sono aperte: chiedi un invito a chi gestisce Bancone.'
const wrongCode = "Il codice non è corretto o non vale più: scrivi quello che l'app mostra adesso."
const identityTaken = 'Questo accesso esterno è già collegato a un altro account Bancone.'
const weakPassword = "La password è troppo facile da indovinare: scegline un'altra."

const authMessages = new Map([
  ['invalid_credentials', 'Credenziali non valide. Riprova per favore.'],
  [
    'email_not_confirmed',
    "L'indirizzo email non è ancora confermato: apri il link che ti abbiamo mandato.",
  ],
  ['email_address_invalid', "L'indirizzo email non è valido."],
  ['email_exists', emailTaken],
  ['user_already_exists', emailTaken],
  ['user_banned', banned],
  ['otp_expired', linkUsed],
  ['flow_state_expired', linkOfAnotherBrowser],
  ['flow_state_not_found', linkOfAnotherBrowser],
  ['bad_code_verifier', linkOfAnotherBrowser],
  ['weak_password', weakPassword],
  ['same_password', 'È la password che usi già: scegline una diversa.'],
  [
    'reauthentication_needed',
    "È passato troppo tempo dall'ultimo accesso: esci, e accedi di nuovo.",
  ],
  ['reauthentication_not_valid', 'Il codice è scaduto o non è corretto. Chiedine uno nuovo.'],
  ['current_password_required', 'Serve anche la password attuale.'],
  ['current_password_invalid', 'La password attuale non è corretta.'],
  ['validation_failed', 'I dati inseriti non sono validi. Controllali e riprova.'],
  ['bad_json', errorText('request.invalid')],
  ['request_entity_too_large', errorText('request.too_large')],
  ['session_not_found', sessionEnded],
  ['session_expired', sessionEnded],
  ['refresh_token_not_found', sessionEnded],
  ['refresh_token_already_used', sessionEnded],
  ['bad_jwt', sessionEnded],
  ['no_authorization', sessionEnded],
  ['user_not_found', errorText('session.unknown_user')],
  ['not_admin', errorText('access.denied')],
  ['insufficient_aal', errorText('session.second_factor_needed')],
  ['mfa_verification_failed', wrongCode],
  ['mfa_challenge_expired', wrongCode],
  ['mfa_ip_address_mismatch', 'La rete è cambiata nel frattempo: scrivi di nuovo il codice.'],
  ['mfa_recovery_code_invalid', 'Il codice non è corretto, o è già stato usato.'],
  ['mfa_factor_not_found', "Quest'app non è più collegata al tuo accesso."],
  ['mfa_factor_name_conflict', "Hai già collegato un'app con questo nome: scegline un altro."],
  [
    'too_many_enrolled_mfa_factors',
    'Hai già collegato 10 app: rimuovine una per aggiungerne altre.',
  ],
  ['identity_already_exists', identityTaken],
  ['identity_not_found', 'Questo accesso non è più collegato.'],
  ['single_identity_not_deletable', "È l'unico modo che hai per accedere: non si può scollegare."],
  ['provider_disabled', 'Qui non si accede in questo modo.'],
  ['signup_disabled', signupClosed],
  ['otp_disabled', signupClosed],
  ['email_provider_disabled', 'Qui non si accede con email e password.'],
  ['email_address_not_authorized', "Non possiamo inviare email a quest'indirizzo."],
  ['conflict', unavailable],
  ['unexpected_failure', unavailable],
  ['request_timeout', unavailable],
])

/** Includes the waiting time when the message contains it: 'For security purposes, … after 40 seconds.' */
function rateLimitMessage({
  code,
  message,
}: {
  code: string | undefined
  message: string
}): string {
  const what =
    code === 'over_email_send_rate_limit'
      ? "Un'email è già stata chiesta da poco."
      : 'Troppi tentativi.'
  const seconds = Number(/after (\d+) seconds?/i.exec(message)?.[1] ?? 0)
  if (seconds === 0) return `${what} Attendi qualche minuto e riprova.`
  if (seconds === 1) return `${what} Riprova tra un secondo.`
  if (seconds < 100) return `${what} Riprova tra ${seconds} secondi.`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 100) return `${what} Riprova tra ${minutes} minuti.`
  return `${what} Riprova tra ${Math.ceil(minutes / 60)} ore.`
}

/** The Italian message for an error of the authentication service; `fallback` for an error without a message here. */
export function authErrorMessage(error: unknown, fallback: string): string {
  if (isAuthRetryableFetchError(error)) return error.status === 0 ? unreachable : unavailable
  if (isAuthSessionMissingError(error)) return sessionEnded
  if (!isAuthError(error)) return fallback
  if (error.status === 429) return rateLimitMessage({ code: error.code, message: error.message })
  const known = authMessages.get(error.code ?? '')
  // A response without a known code does not come from the service, but for example from a proxy.
  return known ?? (isAuthApiError(error) && error.code !== undefined ? fallback : unavailable)
}

/** The Italian message for a link from an email that came back with an error code. */
export function linkErrorMessage(code: string | null): string {
  return authMessages.get(code ?? '') ?? 'Il link non è valido.'
}

/** Messages by the error code with which an external provider redirects back. */
const oauthMessages = new Map([
  [
    'signup_disabled',
    "Nessun account Bancone usa l'indirizzo email di questo accesso. Se ne hai uno, entra con email e password e collegalo da «Sicurezza».",
  ],
  [
    'provider_email_needs_verification',
    'Il tuo indirizzo email non risulta confermato, quindi non possiamo collegare da soli i due accessi. Entra con email e password, poi collegalo da «Sicurezza».',
  ],
  ['access_denied', 'Hai annullato la richiesta: non è cambiato nulla.'],
  ['identity_already_exists', identityTaken],
  [
    'identity_not_found',
    'Hai scollegato questo accesso. Entra con email e password: da «Sicurezza» puoi ricollegarlo.',
  ],
  ['bad_oauth_state', returnLost],
  ['bad_oauth_callback', returnLost],
  ['flow_state_not_found', returnLost],
  ['bad_code_verifier', returnLost],
  ['pkce_code_verifier_not_found', returnLost],
  ['flow_state_expired', "È passato troppo tempo da quando hai iniziato l'accesso: ricomincia."],
  ['user_banned', banned],
  [
    'unexpected_failure',
    'Il servizio con cui volevi accedere non risponde. Riprova tra poco, o entra con email e password.',
  ],
])

/** The Italian message for a failed sign-in with an external provider. */
export function oauthErrorMessage(code: string | null): string {
  return (
    oauthMessages.get(code ?? '') ??
    "L'accesso non è riuscito. Riprova, o entra con email e password."
  )
}

const weaknesses = new Map<string, string>([
  ['length', `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`],
  ['characters', 'Usa più caratteri diversi tra loro, e non il tuo indirizzo email.'],
  ['pwned', "È tra le password più usate, le prime che chi attacca prova: scegline un'altra."],
])

/** Shown for a password that exceeds the byte limit of the hash: accents and symbols take more than one byte. */
export const passwordTooLong = `La password è troppo lunga: usa al massimo ${MAX_PASSWORD_BYTES} caratteri, meno se hanno accenti o simboli.`

/**
 * The Italian message for a rejected new password, shown at its field; null when the error is about something else.
 */
export function passwordErrorMessage(error: unknown): string | null {
  if (isAuthWeakPasswordError(error)) {
    const reasons = error.reasons.map((reason) => weaknesses.get(reason) ?? weakPassword)
    return reasons.length > 0 ? reasons.join(' ') : weakPassword
  }
  if (!isAuthApiError(error)) return null
  // The form has checked everything else: only the length in bytes can still be invalid.
  if (error.code === 'validation_failed') return passwordTooLong
  return error.code === 'same_password' ? (authMessages.get('same_password') ?? null) : null
}
