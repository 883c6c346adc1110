import type { CustomerPrioritySession } from '@bancone/contract/priority-customer'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isSession } from './answers.ts'
import { calls, post } from './calls.ts'
import { followState } from './live-state.ts'

type Followed = {
  session: CustomerPrioritySession | null
  refusal: { code: string; text: string } | null
  isLive: boolean
}

const nothing: Followed = { session: null, refusal: null, isLive: true }

type Change = { to?: 'on_the_way' | 'user_arrived' | 'cancelled'; place?: string | null }

/** The session of a link, followed as it changes. Without a token there is none. */
export function useSession(pharmacyCode: string, token: string | null) {
  const [followed, setFollowed] = useState(nothing)

  useEffect(() => {
    if (token === null) return undefined
    const stop = followState(
      {
        events: calls.sessionEvents,
        read: calls.session,
        body: { pharmacyCode, token },
        isState: isSession,
      },
      {
        onState: (session) =>
          setFollowed((before) => ({ ...before, session: newer(before.session, session) })),
        onRefused: ({ failure }) => setFollowed({ ...nothing, refusal: failure }),
        onLive: (isLive) => setFollowed((before) => ({ ...before, isLive })),
      },
    )
    return () => {
      stop()
      setFollowed(nothing)
    }
  }, [pharmacyCode, token])

  /** @throws CallFailed */
  const change = useCallback(
    async (path: typeof calls.status | typeof calls.place, changed: Change) => {
      const answer = await post(path, { pharmacyCode, token, ...changed }, isSession)
      setFollowed((before) => ({ ...before, session: newer(before.session, answer) }))
      return answer
    },
    [pharmacyCode, token],
  )
  return { ...followed, change }
}

export type ChangeSession = ReturnType<typeof useSession>['change']

/** An answer may be overtaken by an event. */
function newer(
  one: CustomerPrioritySession | null,
  other: CustomerPrioritySession,
): CustomerPrioritySession {
  return one && one.version > other.version ? one : other
}

/** Runs the effect when the customer is called, not when the page is opened afterwards. */
export function useCalled(session: CustomerPrioritySession | null, effect: () => void): void {
  const before = useRef<CustomerPrioritySession | null>(null)
  useEffect(() => {
    if (session?.status === 'called' && before.current && before.current.status !== 'called')
      effect()
    before.current = session
  }, [session, effect])
}
