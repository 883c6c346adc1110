import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { errorMessage } from './messages.ts'

const unforeseen = 'Si è verificato un errore imprevisto. Riprova più tardi.'
const unreachable = 'Il server non risponde. Controlla la connessione e riprova.'
const unavailable = 'Il servizio non è disponibile in questo momento. Riprova tra poco.'

test.each([
  [
    'a code has the text of the server',
    new ApiError(404, "L'ordine non esiste più.", { code: 'orders.not_found', requestId: 'r-1' }),
    "L'ordine non esiste più.",
  ],
  [
    'a code with a fixed text of the protocol has that of users',
    new ApiError(401, 'No active session', { code: 'session.missing', requestId: 'r-1' }),
    'La sessione è scaduta. Accedi di nuovo.',
  ],
  [
    'an unexpected error can be found in the log',
    new ApiError(500, '', { code: 'internal', requestId: 'r-1' }),
    `${unforeseen} Codice: r-1`,
  ],
  [
    'an unexpected error, without a number',
    new ApiError(500, '', { code: 'internal' }),
    unforeseen,
  ],
  ['an answer that is none of ours', new ApiError(418, ''), unforeseen],
  ['a proxy that answers for the server', new ApiError(502, ''), unavailable],
  ['no answer', new ApiError(0, ''), unreachable],
  ['a mistake of the page', new TypeError('x'), unforeseen],
])('%s', (_case, error, text) => {
  expect(errorMessage(error)).toBe(text)
})
