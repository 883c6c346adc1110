import { fixedErrors } from '@bancone/contract/fixed-errors'

/** Shown when the server was not reached or did not respond in time. */
export const unreachable = 'Il server non risponde. Controlla la connessione e riprova.'
/** Shown for temporary failures of the server. */
export const unavailable = 'Il servizio non è disponibile in questo momento. Riprova tra poco.'

/** Shown when the session ended during work. */
export const sessionEnded: string = fixedErrors['session.missing'].shown

/** Shown for errors of which no more is known. */
export const unforeseen = 'Si è verificato un errore imprevisto. Riprova più tardi.'
