import type { PriorityVisit } from '@bancone/contract/priority'
import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../../lib/browser-storage.ts'
import { arrivalKey } from './announced-arrivals.ts'

// In all tabs of the device, because another tab would go on with the sound.
const KEY = 'bancone-acknowledged'
/** More than can wait at a counter. */
const MAX_STORED = 200

const listeners = new Set<() => void>()

function stored(): string {
  return browserStorage.getItem(KEY) ?? ''
}

function store(keys: readonly string[]) {
  browserStorage.setItem(KEY, keys.slice(-MAX_STORED).join(' '))
  for (const listener of listeners) listener()
}

/** Ends the sound of arrivals on this device, whether or not the server can be reached. */
export function acknowledgeHere(visits: readonly PriorityVisit[]) {
  store([...new Set([...stored().split(' '), ...visits.map(arrivalKey)])])
}

/** The server has refused an acknowledgement. */
export function withdrawAcknowledgement(visits: readonly PriorityVisit[]) {
  const withdrawn = new Set(visits.map(arrivalKey))
  store(
    stored()
      .split(' ')
      .filter((key) => !withdrawn.has(key)),
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** @returns whether an arrival was acknowledged on this device */
export function useAcknowledgedHere(): (visit: PriorityVisit) => boolean {
  const keys = useSyncExternalStore(subscribe, stored).split(' ')
  return (visit) => keys.includes(arrivalKey(visit))
}
