/** Whether an `If-None-Match` names what would be sent: then the caller has it already. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.some((one) => one === tag || one === '*')
}
