import { createHash } from 'node:crypto'

/** The only path that needs it. */
const PATH = '/auth/v1/callback'

/** Seconds: longer than anybody may be away, so that who comes too late is told so. */
const MAX_AGE = 3600

/** One for each time somebody leaves, so that two tabs do not take each other's. */
function nameOf(state: string): string {
  const hash = createHash('sha256').update(state).digest('hex')
  return `bancone-external-${hash.slice(0, 16)}`
}

/** Says which browser left with that state. Comes back with a link of another site that is followed (Lax). */
export function leavingCookie(state: string, browser: string, isSecure: boolean): string {
  return cookie(nameOf(state), browser, MAX_AGE, isSecure)
}

export function forgottenCookie(state: string, isSecure: boolean): string {
  return cookie(nameOf(state), '', 0, isSecure)
}

/** @param header of the request @returns undefined when another browser left with that state */
export function browserOf(header: string | undefined, state: string): string | undefined {
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
