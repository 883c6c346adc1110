import { formatNumber } from '../../lib/format.ts'
import { type Left, MOST_NUMBERS } from './bulk-change.ts'

/** '37 ordini' */
export function ordersText(count: number): string {
  return count === 1 ? '1 ordine' : `${formatNumber(count)} ordini`
}

/** What was left as it is, and which orders those are; null when there is nothing to say. */
export function leftText(left: readonly Left[]): string | null {
  const gone = left.filter(({ now }) => now === null)
  const changed = left.filter(({ now }) => now !== null)
  const sentences = [
    changed.length > 0 &&
      (changed.length === 1
        ? `1 ordine non cambiato: nel frattempo qualcuno lo ha modificato${numbersText(changed)}.`
        : `${formatNumber(changed.length)} ordini non cambiati: nel frattempo qualcuno li ha modificati${numbersText(changed)}.`),
    gone.length > 0 &&
      (gone.length === 1
        ? `1 ordine non c'è più${numbersText(gone)}.`
        : `${formatNumber(gone.length)} ordini non ci sono più${numbersText(gone)}.`),
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : null
}

/** ' (1041, 1042 e altri 3)'; nothing where no number is known. */
function numbersText(left: readonly Left[]): string {
  const numbers = left.flatMap(({ number }) => (number === null ? [] : [number]))
  const named = numbers.slice(0, MOST_NUMBERS)
  if (named.length === 0) return ''
  const others = left.length - named.length
  if (others === 0) return ` (${named.join(', ')})`
  return ` (${named.join(', ')} e ${others === 1 ? 'un altro' : `altri ${formatNumber(others)}`})`
}

/** Of orders whose former status was a word of the store that cannot be written. */
export function foreignText(foreign: number): string | null {
  if (foreign === 0) return null
  return foreign === 1
    ? "1 ordine non torna com'era: il suo stato di prima si può rimettere solo in Airtable."
    : `${formatNumber(foreign)} ordini non tornano com'erano: il loro stato di prima si può rimettere solo in Airtable.`
}

/** The parts that have something to say, as one text. */
export function described(...parts: (string | null)[]): { description?: string } {
  const description = parts.filter((part) => part !== null).join(' ')
  return description === '' ? {} : { description }
}
