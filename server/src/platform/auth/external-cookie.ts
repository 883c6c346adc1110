import { createHash } from 'node:crypto'
import { readCookie, serializeCookie } from './cookies.ts'

/** The callback alone reads the cookie. */
const PATH = '/auth/v1/callback'

/** Seconds. Longer than a flow may last, so that a late return gets an error that says so. */
const MAX_AGE = 3600

/** One cookie per flow, so that two tabs do not overwrite each other's. */
function nameOf(state: string): string {
  const hash = createHash('sha256').update(state).digest('hex')
  return `bancone-external-${hash.slice(0, 16)}`
}

/** Binds the state to this browser. */
export function stateCookie(state: string, browserSecret: string, isSecure: boolean): string {
  return serializeCookie(nameOf(state), browserSecret, { path: PATH, maxAge: MAX_AGE, isSecure })
}

export function clearedStateCookie(state: string, isSecure: boolean): string {
  return serializeCookie(nameOf(state), '', { path: PATH, maxAge: 0, isSecure })
}

/** @param header the `Cookie` header of the request @returns undefined when another browser began the flow */
export function readStateCookie(header: string | undefined, state: string): string | undefined {
  return readCookie(header, nameOf(state))
}
