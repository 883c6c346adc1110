import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthUnknownError,
  AuthWeakPasswordError,
} from '@supabase/auth-js'
import { describe, expect, test } from 'vitest'
import {
  authErrorMessage,
  linkErrorMessage,
  oauthErrorMessage,
  passwordErrorMessage,
  passwordTooLong,
} from './auth-messages.ts'

const unreachable = 'Il server non risponde. Controlla la connessione e riprova.'
const unavailable = 'Il servizio non è disponibile in questo momento. Riprova tra poco.'
const ended = 'La sessione è scaduta. Accedi di nuovo.'

const auth = (status: number, code: string, message = '') => new AuthApiError(message, status, code)

describe('of the authentication service', () => {
  const codes = [
    'invalid_credentials',
    'email_not_confirmed',
    'email_address_invalid',
    'email_exists',
    'user_already_exists',
    'user_banned',
    'user_not_found',
    'otp_expired',
    'flow_state_expired',
    'flow_state_not_found',
    'bad_code_verifier',
    'weak_password',
    'same_password',
    'reauthentication_needed',
    'reauthentication_not_valid',
    'current_password_invalid',
    'validation_failed',
    'bad_json',
    'request_entity_too_large',
    'session_not_found',
    'session_expired',
    'refresh_token_not_found',
    'refresh_token_already_used',
    'bad_jwt',
    'no_authorization',
    'not_admin',
    'signup_disabled',
    'mfa_verification_failed',
    'mfa_recovery_code_invalid',
    'mfa_factor_not_found',
    'mfa_factor_name_conflict',
    'too_many_enrolled_mfa_factors',
    'mfa_ip_address_mismatch',
    'identity_already_exists',
    'identity_not_found',
    'single_identity_not_deletable',
    'provider_disabled',
    'insufficient_aal',
  ]

  test.each(codes)('%s has words of its own', (code) => {
    expect(authErrorMessage(auth(400, code), 'otherwise')).not.toBe('otherwise')
  })

  test.each([
    ['wrong password', auth(400, 'invalid_credentials'), /^Credenziali non valide\. Riprova/],
    ['banned', auth(403, 'user_banned'), /disattivato/],
    ['used link', auth(403, 'otp_expired'), /^Il link è scaduto o è già stato usato\.$/],
    ['dead session', auth(403, 'bad_jwt'), ended],
    ['missing session', new AuthSessionMissingError(), ended],
    ['no answer', new AuthRetryableFetchError('', 0), unreachable],
    ['an answer of 503', new AuthRetryableFetchError('', 503), unavailable],
    ['an answer of 500', new AuthRetryableFetchError('', 500), unavailable],
    ['an answer that is none of the service', new AuthUnknownError('', null), unavailable],
    ['a code without words', auth(404, 'not_found'), 'otherwise'],
    ['a mistake of the page', new TypeError(''), 'otherwise'],
  ])('%s', (_case, error, text) => {
    expect(authErrorMessage(error, 'otherwise')).toMatch(text)
  })

  const after = (n: string) => `For security purposes, you can only request this after ${n}.`
  test.each([
    [
      'over_request_rate_limit',
      'Request rate limit reached',
      /^Troppi tentativi\. Attendi qualche/,
    ],
    [
      'over_request_rate_limit',
      after('40 seconds'),
      /^Troppi tentativi\. Riprova tra 40 secondi\.$/,
    ],
    ['over_request_rate_limit', after('1 second'), /Riprova tra un secondo\.$/],
    ['over_request_rate_limit', after('301 seconds'), /Riprova tra 6 minuti\.$/],
    ['over_email_send_rate_limit', after('a while'), /^Un'email è già stata chiesta .* Attendi/],
    ['over_email_send_rate_limit', after('59 seconds'), /^Un'email .* Riprova tra 59 secondi\.$/],
  ])('%s, %j', (code, message, text) => {
    expect(authErrorMessage(auth(429, code, message), '')).toMatch(text)
  })

  test.each([
    ['otp_expired', 'Il link è scaduto o è già stato usato.'],
    ['unheard_of', 'Il link non è valido.'],
    [null, 'Il link non è valido.'],
  ])('a link that came back with %s', (code, text) => {
    expect(linkErrorMessage(code)).toBe(text)
  })
})

test.each([
  ['signup_disabled', /^Nessun account Bancone usa l'indirizzo email/],
  ['provider_email_needs_verification', /^Il tuo indirizzo email non risulta confermato/],
  ['access_denied', /^Hai annullato la richiesta/],
  ['flow_state_not_found', /^L'accesso non si è concluso in questo browser/],
  ['flow_state_expired', /^È passato troppo tempo/],
  ['bad_oauth_state', /^L'accesso non si è concluso/],
  ['bad_oauth_callback', /^L'accesso non si è concluso/],
  ['identity_already_exists', /già collegato a un altro account/],
  ['user_banned', /^Questo accesso è stato disattivato/],
  ['unexpected_failure', /^Il servizio con cui volevi accedere non risponde/],
  ['unheard_of', /^L'accesso non è riuscito/],
  [null, /^L'accesso non è riuscito/],
])('a return from another service with %s', (code, text) => {
  expect(oauthErrorMessage(code)).toMatch(text)
})

describe('a password is refused', () => {
  const weak = (...reasons: ('length' | 'characters' | 'pwned')[]) =>
    new AuthWeakPasswordError('', 422, reasons)

  test.each([
    ['too short', weak('length'), /almeno 10 caratteri/],
    ['too few characters', weak('characters'), /più caratteri diversi/],
    ['known', weak('pwned'), /tra le password più usate/],
    ['for two reasons', weak('length', 'pwned'), /10 caratteri\. È tra le password più usate/],
    ['for no reason that was given', weak(), /troppo facile da indovinare/],
    ['the same', auth(422, 'same_password'), /È la password che usi già/],
    ['too long', auth(400, 'validation_failed'), passwordTooLong],
  ])('%s', (_case, error, text) => {
    expect(passwordErrorMessage(error)).toMatch(text)
  })

  test.each([auth(400, 'reauthentication_needed'), new AuthRetryableFetchError('', 503), 'x'])(
    'not by %s',
    (error) => {
      expect(passwordErrorMessage(error)).toBeNull()
    },
  )
})
