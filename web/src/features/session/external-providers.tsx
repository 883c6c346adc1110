import { listSignInMethods } from '@bancone/contract/account'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { redirectToProvider } from './external-sign-in.ts'

type ExternalProvidersProps = {
  area: Area
  /** State of the login page, restored after the redirect back. */
  loginState: unknown
}

/** External sign-in providers. Renders nothing while they are loading, or when none is configured. */
export function ExternalProviders({ area, loginState }: ExternalProvidersProps) {
  const { data } = useEndpoint(listSignInMethods, {}, { staleTime: Infinity })
  const [leaving, setLeaving] = useState<string | null>(null)
  const { failure, fail } = useFailure()

  useEffect(() => {
    // On going back the browser may restore the page from its cache.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(null)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  async function leave(provider: string) {
    setLeaving(provider)
    const text = await redirectToProvider(area, provider, loginState)
    if (text === null) return
    setLeaving(null)
    fail(text)
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
          onClick={() => void leave(id)}
        >
          {leaving === id ? 'Un momento...' : `Accedi con ${name}`}
        </Button>
      ))}
    </div>
  )
}
