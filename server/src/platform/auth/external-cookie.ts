import { createHash } from 'node:crypto'

/** The callback alone reads the cookie. */
const PATH = '/auth/v1/callback'

/** Seconds. Longer than a flow may last, so that a late return gets an error that says so. */
const MAX_AGE = 3600

/** One cookie per flow, so that two tabs do not overwrite each other's. */
function nameOf(state: string): string {
  const hash = createHash('sha256').update(state).digest('hex')
  return `bancone-external-${hash.slice(0, 16)}`
}

/** Binds the state to this browser. `SameSite=Lax`, because the provider redirects back from another site. */
export function stateCookie(state: string, browserSecret: string, isSecure: boolean): string {
  return cookie(nameOf(state), browserSecret, MAX_AGE, isSecure)
}

export function clearedStateCookie(state: string, isSecure: boolean): string {
  return cookie(nameOf(state), '', 0, isSecure)
}

/** @param header the `Cookie` header of the request @returns undefined when another browser began the flow */
export function readStateCookie(header: string | undefined, state: string): string | undefined {
  const start = `${nameOf(state)}=`
  const found = header?.split(';').find((part) => part.trim().startsWith(start))
  return found?.trim().slice(start.length)
}

function cookie(name: string, value: string, maxAge: number, isSecure: boolean): string {
  const parts = [
    `${name}=${value}`,
    `Path=${PATH}`,
    `Max-Age=${maxAge}`,
    'HttpOnly',
    'SameSite=Lax',
  ]
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}
