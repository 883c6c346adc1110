import type { ByteRange } from '../../ports/file-store.ts'

/** The bytes that a header asks for: from some on, from one to another, or so many at the end. */
export type WantedRange = { start: number; end: number | undefined } | { last: number }

/** Undefined when it asks for several parts, or for none that can be understood: then all is sent. */
export function parseRange(header: string | undefined): WantedRange | undefined {
  const [, start = '', end = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (start !== '') {
    const range = { start: Number(start), end: end === '' ? undefined : Number(end) }
    return range.end !== undefined && range.end < range.start ? undefined : range
  }
  return end === '' ? undefined : { last: Number(end) }
}

/** What of so many bytes that is; undefined when it is nothing of them. */
export function rangeOf(wanted: WantedRange, bytes: number): ByteRange | undefined {
  if ('last' in wanted) {
    if (wanted.last === 0 || bytes === 0) return undefined
    return { start: Math.max(0, bytes - wanted.last), end: bytes - 1 }
  }
  if (wanted.start >= bytes) return undefined
  return { start: wanted.start, end: Math.min(wanted.end ?? bytes - 1, bytes - 1) }
}

/** Whether a list of tags has that one, in the weak comparison of `If-None-Match`. */
export function namesTag(header: string, tag: string): boolean {
  return header.split(',').some((one) => {
    const name = one.trim().replace(/^W\//, '')
    return name === tag || name === '*'
  })
}

/** Whether it has not changed since, to the second that such headers know. */
export function isUnchangedSince(header: string, changed: string): boolean {
  return seconds(Date.parse(header)) >= seconds(Date.parse(changed))
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
