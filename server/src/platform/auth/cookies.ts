import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'

/** The value of a cookie. @param header the `Cookie` header of the request */
function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`
  const found = header?.split(';').find((part) => part.trim().startsWith(start))
  return found?.trim().slice(start.length)
}

/** A `Set-Cookie` header. `SameSite=Lax`, because an identity provider redirects back from another site. */
function serializeCookie(
  name: string,
  value: string,
  { path, maxAge, isSecure }: { path: string; maxAge: number; isSecure: boolean },
): string {
  const parts = [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${maxAge}`,
    'HttpOnly',
    'SameSite=Lax',
  ]
  return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
}

/** Days after a sign-in or a refresh for which the browser counts as a device of the account. */
const DEVICE_DAYS = 90

export type DeviceCookies = ReturnType<typeof createDeviceCookies>

/**
 * Cookies that mark a browser as one in which an account has signed in. A cookie grants no access. Attempts from such a
 * browser have a count of their own, so that attempts from other browsers cannot lock the owner out. Each account has its
 * own cookie, because several people use one browser. The cookies are signed, and not stored on the server.
 */
export function createDeviceCookies(key: Buffer, clock: Clock, isSecure: boolean) {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  const nameOf = (userId: string) => `bancone-device-${sign(`name ${userId}`).slice(0, 16)}`

  /** The id of the device; undefined when the account has not signed in there. @param header `Cookie` */
  function read(header: string | undefined, userId: string): string | undefined {
    const [id = '', expires = '', mac = ''] = readCookie(header, nameOf(userId))?.split('.') ?? []
    const expected = Buffer.from(sign(`${userId} ${id} ${expires}`))
    const given = Buffer.from(mac)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number(expires) > clock.now() ? id : undefined
  }

  return {
    read,

    /** The `Set-Cookie` header after a sign-in. A known device keeps its id. @param header `Cookie` */
    write(header: string | undefined, userId: string): string {
      const id = read(header, userId) ?? randomBytes(16).toString('base64url')
      const maxAge = DEVICE_DAYS * 86_400
      const expires = clock.now() + maxAge * 1000
      const value = `${id}.${expires}.${sign(`${userId} ${id} ${expires}`)}`
      return serializeCookie(nameOf(userId), value, { path: '/auth/v1', maxAge, isSecure })
    },
  }
}

/** The callback alone reads the cookie. */
const PATH = '/auth/v1/callback'

/** Seconds. Longer than a flow may last, so that a late return gets an error that says so. */
const MAX_AGE = 3600

/** One cookie per flow, so that two tabs do not overwrite each other's. */
function stateName(state: string): string {
  const hash = createHash('sha256').update(state).digest('hex')
  return `bancone-external-${hash.slice(0, 16)}`
}

/** Binds the state to this browser. */
export function stateCookie(state: string, browserSecret: string, isSecure: boolean): string {
  return serializeCookie(stateName(state), browserSecret, { path: PATH, maxAge: MAX_AGE, isSecure })
}

export function clearedStateCookie(state: string, isSecure: boolean): string {
  return serializeCookie(stateName(state), '', { path: PATH, maxAge: 0, isSecure })
}

/** @param header the `Cookie` header of the request @returns undefined when another browser began the flow */
export function readStateCookie(header: string | undefined, state: string): string | undefined {
  return readCookie(header, stateName(state))
}
