import { authErrorMessage, returnMessage } from '../../lib/auth-messages.ts'
import { tabStorage } from '../../lib/browser-storage.ts'
import { isProvider, leaveFor } from '../../lib/external-sign-in.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

const key = (area: Area) => `bancone-${area}-place`

/**
 * Leaves for a service to sign in with. Null while the browser goes there, else what to say.
 *
 * @param place what the login page was told, for when the browser is back
 */
export async function leaveToSignIn(
  area: Area,
  provider: string,
  place: unknown,
): Promise<string | null> {
  if (!isProvider(provider)) return returnMessage(null)
  const { session, login } = areas[area]
  tabStorage.setItem(key(area), JSON.stringify(place))
  const { data, error } = await session.auth().signInWithOAuth({
    provider,
    // The client would leave by itself: an address that is left for by a link can be watched.
    options: { redirectTo: location.origin + login, skipBrowserRedirect: true },
  })
  if (error) return authErrorMessage(error, returnMessage(null))
  leaveFor(data.url)
  return null
}

/** What the login page was told before the browser left; null when it did not leave from this tab. */
export function placeLeft(area: Area): unknown {
  const kept = tabStorage.getItem(key(area))
  try {
    return kept === null ? null : JSON.parse(kept)
  } catch {
    return null
  }
}

export function forgetPlaceLeft(area: Area) {
  tabStorage.removeItem(key(area))
}
