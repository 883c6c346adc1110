/** The address as it may be put in a link: http(s), or a path of our own. Null for anything else. */
export function webLink(address: string | null | undefined): string | null {
  const text = address?.trim()
  if (!text) return null
  if (/^\/(?![/\\])/.test(text)) return text
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
