import { parseMinsan } from '@bancone/contract/minsan'

export type CodeNote = { tone: 'error' | 'warning' | 'right'; text: string }

const wrong: CodeNote = {
  tone: 'error',
  text: 'La cifra di controllo non torna: ricontrolla il codice sulla confezione.',
}
const incomplete: CodeNote = {
  tone: 'error',
  text: 'Scrivi le 9 cifre del codice, anche con la A davanti, o i 6 caratteri del codice a barre.',
}
const unverified: CodeNote = {
  tone: 'warning',
  text: 'Di questo codice la cifra di controllo non si può verificare: confrontalo con la confezione.',
}
const right: CodeNote = { tone: 'right', text: 'Codice corretto' }

/** A complete code: nine digits, or six characters of a bar code with a letter among them. */
const WHOLE = /^A?(\d{9}|(?=\d*[B-Z])[0-9B-DF-HJ-NP-Z]{6})$/

/**
 * Hint below a product code.
 *
 * @param left the field was left: an incomplete code is an error
 */
export function codeNote(text: string, left: boolean): CodeNote | null {
  const typed = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (typed === '') return null
  const read = parseMinsan(typed)
  if (!left && !WHOLE.test(typed)) return typed.length > 10 ? incomplete : null
  if (read === undefined) return incomplete
  return { wrong, unverified, valid: right }[read.check]
}
