/** The value of a cookie. @param header the `Cookie` header of the request */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`
  const found = header?.split(';').find((part) => part.trim().startsWith(start))
  return found?.trim().slice(start.length)
}

/** A `Set-Cookie` header. `SameSite=Lax`, because an identity provider redirects back from another site. */
export function serializeCookie(
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
