import { replyPlaceholders } from '@bancone/contract/reply-texts'
import type { OrderView } from '../order-view.ts'

const known: ReadonlySet<string> = new Set(Object.values(replyPlaceholders))

/** The text with what the placeholders stand for. Who has no name is addressed as a customer. */
export function fillReply(text: string, { customer, number }: OrderView): string {
  return text
    .replaceAll(replyPlaceholders.name, () => customer ?? 'cliente')
    .replaceAll(replyPlaceholders.number, () => number)
}

/** What looks like a placeholder and is none: the customer would read it as it stands. */
export function unknownPlaceholders(text: string): string[] {
  const found = text.match(/\{[^{}\n]{1,40}\}/g) ?? []
  return [...new Set(found)].filter((word) => !known.has(word))
}
