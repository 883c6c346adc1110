import { useEffect, useState } from 'react'

const KEY = 'priorityToken'
const IN_HASH = /^#(?:t=)?([\w-]{22})$/

/** The token after the `#` of the address; null without one. */
export function tokenInHash(): string | null {
  return IN_HASH.exec(location.hash)?.[1] ?? null
}

/**
 * Keeps the token with this entry of the history: after a reload it is still known, and the address has never had it.
 */
export function keepToken(token: string, path: string): void {
  history.replaceState({ [KEY]: token }, '', path)
}

function keptToken(): string | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !(KEY in state)) return null
  return typeof state[KEY] === 'string' ? state[KEY] : null
}

/** Takes the token out of the address. */
function takeToken(): string | null {
  const found = tokenInHash()
  if (found === null) return keptToken()
  keepToken(found, location.pathname)
  return found
}

/** @returns the token, null without one, undefined until that is known; and a function to set it */
export function useToken() {
  const [token, setToken] = useState<string | null>()
  useEffect(() => {
    const take = () => setToken(takeToken())
    take()
    // The link of another session of the same order, opened in this tab.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return [token, setToken] as const
}
