/**
 * How the pharmacy, or a customer, gave out a link. `locandina`: the QR code of the page; `volantino`: a printed sheet;
 * `link`: copied; `condivisione`: shared by a customer; `whatsapp`: sent to customers.
 */
export const LINK_TAGS = ['locandina', 'volantino', 'link', 'condivisione', 'whatsapp'] as const
export type LinkTag = (typeof LINK_TAGS)[number]

/** The query parameter of a link with its tag. */
export const TAG_PARAM = 'da'

/** Adds a tag. @param link the address of a public page, without a query */
export function taggedLink(link: string, tag: LinkTag): string {
  return `${link}?${TAG_PARAM}=${tag}`
}
