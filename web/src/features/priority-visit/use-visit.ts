import type { CustomerVisit } from '@bancone/contract/priority-customer'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isVisit } from './answers.ts'
import { calls, post } from './calls.ts'
import { followState } from './live-state.ts'

type Followed = {
  visit: CustomerVisit | null
  refusal: { code: string; text: string } | null
  isLive: boolean
}

const nothing: Followed = { visit: null, refusal: null, isLive: true }

type Change = { to?: 'on_the_way' | 'user_arrived' | 'cancelled'; place?: string | null }

/** The visit of a link, followed as it changes. Without a token there is none. */
export function useVisit(pharmacyCode: string, token: string | null) {
  const [followed, setFollowed] = useState(nothing)

  useEffect(() => {
    if (token === null) return undefined
    const stop = followState(
      {
        events: calls.visitEvents,
        read: calls.visit,
        body: { pharmacyCode, token },
        isState: isVisit,
      },
      {
        onState: (visit) =>
          setFollowed((before) => ({ ...before, visit: newer(before.visit, visit) })),
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
      const answer = await post(path, { pharmacyCode, token, ...changed }, isVisit)
      setFollowed((before) => ({ ...before, visit: newer(before.visit, answer) }))
      return answer
    },
    [pharmacyCode, token],
  )
  return { ...followed, change }
}

export type ChangeVisit = ReturnType<typeof useVisit>['change']

/** An answer may be overtaken by an event. */
function newer(one: CustomerVisit | null, other: CustomerVisit): CustomerVisit {
  return one && one.version > other.version ? one : other
}

/** Runs the effect when the customer is called, not when the page is opened afterwards. */
export function useCalled(visit: CustomerVisit | null, effect: () => void): void {
  const before = useRef<CustomerVisit | null>(null)
  useEffect(() => {
    if (visit?.status === 'called' && before.current && before.current.status !== 'called') effect()
    before.current = visit
  }, [visit, effect])
}
