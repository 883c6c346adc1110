import { replyPlaceholders } from '@bancone/contract/reply-texts'

const known: ReadonlySet<string> = new Set(Object.values(replyPlaceholders))

/** The text with its placeholders replaced. A missing name is replaced by 'cliente'. */
export function fillReply(
  text: string,
  { customer, number }: { customer: string | null; number: string },
): string {
  return text
    .replaceAll(replyPlaceholders.name, () => customer ?? 'cliente')
    .replaceAll(replyPlaceholders.number, () => number)
}

/** Words in braces that are not placeholders: the customer would see them unchanged. */
export function unknownPlaceholders(text: string): string[] {
  const found = text.match(/\{[^{}\n]{1,40}\}/g) ?? []
  return [...new Set(found)].filter((word) => !known.has(word))
}
