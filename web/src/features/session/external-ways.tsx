import { listSignInMethods } from '@bancone/contract/account'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import type { Area } from '../../lib/session-state.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { leaveToSignIn } from './external-sign-in.ts'

type ExternalWaysProps = {
  area: Area
  /** What the login page was told: it is to know it still when the browser is back. */
  place: unknown
}

/** What one can sign in with beside the password. Nothing where there is nothing, or while it is not known. */
export function ExternalWays({ area, place }: ExternalWaysProps) {
  const { data } = useEndpoint(listSignInMethods, {}, { staleTime: Infinity })
  const [leaving, setLeaving] = useState<string | null>(null)
  const [failure, setFailure] = useState<{ text: string; count: number } | null>(null)

  useEffect(() => {
    // Who goes back finds the page as it was left, if the browser has kept it.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(null)
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  async function leave(provider: string) {
    setLeaving(provider)
    const text = await leaveToSignIn(area, provider, place)
    if (text === null) return
    setLeaving(null)
    setFailure((before) => ({ text, count: (before?.count ?? 0) + 1 }))
  }

  if (!data || data.providers.length === 0) return null
  return (
    <div className="mt-5 flex flex-col gap-4">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        oppure
      </p>
      {failure ? (
        <Alert key={failure.count} tone="error">
          {failure.text}
        </Alert>
      ) : null}
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
