import { formatNumber } from '../../lib/format.ts'
import { MAX_LISTED_NUMBERS, type SkippedItem } from './bulk-change.ts'

/** '37 ordini' */
export function ordersText(count: number): string {
  return count === 1 ? '1 ordine' : `${formatNumber(count)} ordini`
}

/** Which orders were skipped, and why; null when there are none. */
export function skippedText(skipped: readonly SkippedItem[]): string | null {
  const gone = skipped.filter(({ now }) => now === null)
  const changed = skipped.filter(({ now }) => now !== null)
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

/** ' (1041, 1042 e altri 3)'; empty when no number is known. */
function numbersText(skipped: readonly SkippedItem[]): string {
  const numbers = skipped.flatMap(({ number }) => (number === null ? [] : [number]))
  const named = numbers.slice(0, MAX_LISTED_NUMBERS)
  if (named.length === 0) return ''
  const others = skipped.length - named.length
  if (others === 0) return ` (${named.join(', ')})`
  return ` (${named.join(', ')} e ${others === 1 ? 'un altro' : `altri ${formatNumber(others)}`})`
}

/** About orders whose previous status cannot be written. */
export function notRestorableText(notRestorable: number): string | null {
  if (notRestorable === 0) return null
  return notRestorable === 1
    ? "1 ordine non torna com'era: il suo stato di prima si può rimettere solo in Airtable."
    : `${formatNumber(notRestorable)} ordini non tornano com'erano: il loro stato di prima si può rimettere solo in Airtable.`
}

/** The texts that are not null, joined, as the description of a toast. */
export function described(...parts: (string | null)[]): { description?: string } {
  const description = parts.filter((part) => part !== null).join(' ')
  return description === '' ? {} : { description }
}
