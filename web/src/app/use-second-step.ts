import { useState } from 'react'
import type { SessionState } from '../lib/session-state.ts'

/**
 * Whether a page that signs in must ask for the second factor: until it is verified, and while the step still shows
 * something, such as remaining recovery codes.
 */
export function useSecondStep(session: SessionState) {
  const [held, hold] = useState(false)
  // After going back from the step the focus is at the top of the form.
  const [left, setLeft] = useState(false)
  return {
    asks: session.status === 'signed-in' && (session.factorNeeded || held),
    left,
    steps: { onHold: hold, onLeave: () => setLeft(true) },
  }
}
