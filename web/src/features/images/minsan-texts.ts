import { readMinsan } from '@bancone/contract/minsan'

export type CodeNote = { tone: 'error' | 'warning' | 'right'; text: string }

const wrong: CodeNote = {
  tone: 'error',
  text: 'La cifra di controllo non torna: ricontrolla il codice sulla confezione.',
}
const incomplete: CodeNote = {
  tone: 'error',
  text: 'Scrivi le 9 cifre del codice, anche con la A davanti, o i 6 segni del codice a barre.',
}
const unverified: CodeNote = {
  tone: 'warning',
  text: 'Di questo codice la cifra di controllo non si può verificare: confrontalo con la confezione.',
}
const right: CodeNote = { tone: 'right', text: 'Codice corretto' }

/** Nothing can follow: nine digits, or six signs of a bar code with a letter among them. */
const WHOLE = /^A?(\d{9}|(?=\d*[B-Z])[0-9B-DF-HJ-NP-Z]{6})$/

/**
 * What is to be said of a product code.
 *
 * @param left nobody is typing it any more: what is not whole is not going to be
 */
export function codeNote(text: string, left: boolean): CodeNote | null {
  const typed = text.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (typed === '') return null
  const read = readMinsan(typed)
  if (!left && !WHOLE.test(typed)) return typed.length > 10 ? incomplete : null
  if (read === undefined) return incomplete
  return { wrong, unverified, valid: right }[read.check]
}
