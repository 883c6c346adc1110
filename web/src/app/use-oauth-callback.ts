import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { clearSavedLoginState, savedLoginState } from '../features/session/external-providers.tsx'
import {
  completeOAuthCallback,
  readOAuthCallback,
  withoutOAuthParams,
} from '../lib/provider-redirect.ts'
import type { Area } from '../lib/session-state.ts'

type CallbackState = { busy: boolean; failure: string | null }

/**
 * Handles the OAuth callback on a login page: completes the sign-in and restores the navigation state from before the
 * redirect.
 *
 * @returns `failure`: the message to show when the sign-in failed
 */
export function useOAuthCallback(area: Area): CallbackState {
  const location = useLocation()
  const navigate = useNavigate()
  const [back] = useState(() => readOAuthCallback(location))
  const [end, setEnd] = useState<CallbackState>({ busy: back !== null, failure: null })

  const clean = useEffectEvent(() => {
    // Replacing the entry removes the code from the address bar and the history.
    const to = { pathname: location.pathname, search: withoutOAuthParams(location.search) }
    void navigate(to, { replace: true, state: savedLoginState(area) })
  })

  useEffect(() => {
    if (back === null) return
    let over = false
    clean()
    void completeOAuthCallback(area, back).then((failure) => {
      if (over) return
      clearSavedLoginState(area)
      setEnd({ busy: false, failure })
    })
    return () => {
      over = true
    }
  }, [area, back])

  return end
}
