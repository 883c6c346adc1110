import type { ByteRange } from '../../ports/file-store.ts'

/** The byte range of a header: from a start, from a start to an end, or the last bytes. */
export type RequestedRange = { start: number; end: number | undefined } | { last: number }

/** Undefined for several ranges and for an invalid header: the whole file is sent then. */
export function parseRange(header: string | undefined): RequestedRange | undefined {
  const [, start = '', end = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (start !== '') {
    const range = { start: Number(start), end: end === '' ? undefined : Number(end) }
    return range.end !== undefined && range.end < range.start ? undefined : range
  }
  return end === '' ? undefined : { last: Number(end) }
}

/** The range within a file of that size; undefined when it is not satisfiable. */
export function resolveRange(wanted: RequestedRange, bytes: number): ByteRange | undefined {
  if ('last' in wanted) {
    if (wanted.last === 0 || bytes === 0) return undefined
    return { start: Math.max(0, bytes - wanted.last), end: bytes - 1 }
  }
  if (wanted.start >= bytes) return undefined
  return { start: wanted.start, end: Math.min(wanted.end ?? bytes - 1, bytes - 1) }
}

/** Whether a list of ETags contains the given one, by the weak comparison of `If-None-Match`. */
export function matchesEtag(header: string, tag: string): boolean {
  return header.split(',').some((one) => {
    const name = one.trim().replace(/^W\//, '')
    return name === tag || name === '*'
  })
}

/** Whether the file is unchanged since then, to the second, the precision of HTTP dates. */
export function isNotModifiedSince(header: string, changed: string): boolean {
  return seconds(Date.parse(header)) >= seconds(Date.parse(changed))
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
