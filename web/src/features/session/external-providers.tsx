import { listSignInMethods } from '@bancone/contract/account'
import { useEffect, useState } from 'react'
import { oauthErrorMessage } from '../../lib/auth-messages.ts'
import { tabStorage } from '../../lib/browser-storage.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { isProvider, redirectTo } from '../../lib/provider-redirect.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { areas } from './areas.ts'

type ExternalProvidersProps = {
  area: Area
  /** State of the login page, restored after the redirect back. */
  loginState: unknown
}

/** External sign-in providers. Renders nothing while they are loading, or when none is configured. */
export function ExternalProviders({ area, loginState }: ExternalProvidersProps) {
  const { data } = useEndpoint(listSignInMethods, {}, { staleTime: Infinity })
  const [leaving, setLeaving] = useState<string | null>(null)
  const { failure, run } = useAction(oauthErrorMessage(null))

  useEffect(() => {
    // On going back the browser may restore the page from its cache.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(null)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  function leave(provider: string) {
    setLeaving(provider)
    void run(async () => {
      try {
        await redirectToProvider(area, provider, loginState)
      } catch (error) {
        setLeaving(null)
        throw error
      }
    })
  }

  if (!data || data.providers.length === 0) return null
  return (
    <div className="mt-5 flex flex-col gap-4">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        oppure
      </p>
      <FailureAlert failure={failure} />
      {data.providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          className="h-auto! min-h-12 py-2 text-balance whitespace-normal!"
          inactive={leaving !== null}
          onClick={() => leave(id)}
        >
          {leaving === id ? 'Un momento...' : `Accedi con ${name}`}
        </Button>
      ))}
    </div>
  )
}

const key = (area: Area) => `bancone-${area}-place`

/** Redirects to a provider. @param loginState state of the login page, restored after the redirect back @throws AuthError */
async function redirectToProvider(area: Area, provider: string, loginState: unknown) {
  if (!isProvider(provider)) throw new TypeError('A service has a name')
  const { session, login } = areas[area]
  tabStorage.setItem(key(area), JSON.stringify(loginState))
  const client = await session.auth()
  const { data, error } = await client.signInWithOAuth({
    provider,
    // By default the client navigates itself; a link can be observed.
    options: { redirectTo: location.origin + login, skipBrowserRedirect: true },
  })
  if (error) throw error
  redirectTo(data.url)
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
