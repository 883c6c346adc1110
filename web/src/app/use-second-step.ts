import { useState } from 'react'
import type { SessionState } from '../lib/session-state.ts'

/**
 * Whether a page that gives a session asks for the second factor now. It is asked for until it was shown,
 * and kept for as long as there is something to say about it.
 */
export function useSecondStep(session: SessionState) {
  const [held, hold] = useState(false)
  // Who went back from there finds the focus where the page begins.
  const [left, setLeft] = useState(false)
  return {
    asks: session.status === 'signed-in' && (session.factorNeeded || held),
    left,
    steps: { onHold: hold, onLeave: () => setLeft(true) },
  }
}
