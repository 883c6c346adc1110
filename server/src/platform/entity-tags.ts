/** Whether `If-None-Match` matches the ETag (weak comparison, RFC 9110), so that the response is a 304. */
export function matchesEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.some((one) => one === tag || one === '*')
}
