import { authErrorMessage, oauthErrorMessage } from '../../lib/auth-messages.ts'
import { tabStorage } from '../../lib/browser-storage.ts'
import { isProvider, redirectTo } from '../../lib/provider-redirect.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

const key = (area: Area) => `bancone-${area}-place`

/**
 * Redirects to a provider. Returns null while the browser navigates, otherwise the error text.
 *
 * @param loginState state of the login page, restored after the redirect back
 */
export async function redirectToProvider(
  area: Area,
  provider: string,
  loginState: unknown,
): Promise<string | null> {
  if (!isProvider(provider)) return oauthErrorMessage(null)
  const { session, login } = areas[area]
  tabStorage.setItem(key(area), JSON.stringify(loginState))
  try {
    const client = await session.auth()
    const { data, error } = await client.signInWithOAuth({
      provider,
      // By default the client navigates itself; a link can be observed.
      options: { redirectTo: location.origin + login, skipBrowserRedirect: true },
    })
    if (error) throw error
    redirectTo(data.url)
    return null
  } catch (error) {
    return authErrorMessage(error, oauthErrorMessage(null))
  }
}

/** State of the login page before the redirect; null when this tab was not redirected. */
export function savedLoginState(area: Area): unknown {
  const kept = tabStorage.getItem(key(area))
  try {
    return kept === null ? null : JSON.parse(kept)
  } catch {
    return null
  }
}

export function clearSavedLoginState(area: Area) {
  tabStorage.removeItem(key(area))
}
