import type { ErrorCode } from '@bancone/contract/errors'

/** Shown when the server was not reached or did not respond in time. */
export const unreachable = 'Il server non risponde. Controlla la connessione e riprova.'
/** Shown for temporary failures of the server. */
export const unavailable = 'Il servizio non è disponibile in questo momento. Riprova tra poco.'

/** Shown when the session ended during work. */
export const sessionEnded = 'La sessione è scaduta. Accedi di nuovo.'

/** Shown for errors of which no more is known. */
export const unforeseen = 'Si è verificato un errore imprevisto. Riprova più tardi.'

/** By error code; the table comes with the first error, or with a page that needs it sooner. */
let texts: Partial<Record<ErrorCode, string>> = {}

/** Called by `error-texts.ts` alone. */
export function setErrorTexts(known: Partial<Record<ErrorCode, string>>) {
  texts = known
}

/** The text of an error code; undefined where the server's text is shown, or the table could not be loaded. */
export function textOfCode(code: ErrorCode): string | undefined {
  return texts[code]
}
