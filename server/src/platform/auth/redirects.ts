const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether it is a name of this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname)
}

export type Redirects = {
  /** That address if it is allowed, else the application's own. */
  allowed(candidate: unknown): URL
  /** Whether it leads to a page of our own application. */
  isOwn(target: URL): boolean
}

/**
 * Where a link may lead after it was used. Only the origins that were configured, compared as a whole:
 * no patterns, no prefixes, no Referer, no Host header.
 *
 * @param publicUrl the address people use; when it is this machine, so is any other name and port of it
 * @param origins others that were configured
 */
export function createRedirects(publicUrl: string, origins: readonly string[]): Redirects {
  const own = new URL(publicUrl)
  const others = new Set(origins)

  const isOwn = (target: URL) =>
    target.origin === own.origin ||
    (isLoopback(own.hostname) && isLoopback(target.hostname) && target.protocol === own.protocol)

  return {
    isOwn,
    allowed(candidate) {
      const target = parse(candidate)
      if (!target || target.username !== '' || target.password !== '') return new URL(own)
      return isOwn(target) || others.has(target.origin) ? target : new URL(own)
    },
  }
}

function parse(candidate: unknown): URL | null {
  if (typeof candidate !== 'string' || candidate === '') return null
  try {
    const url = new URL(candidate)
    // blob: has the origin of what it was made by.
    return /^https?:$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}
