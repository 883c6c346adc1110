import { useEffect, useEffectEvent } from 'react'

/** @param event one of `topicEvents` */
type Listener = (event: string) => void

const listeners = new Set<Listener>()

/** Whoever holds the pharmacy's line passes on what it tells: a page has one line. */
export function passNews(event: string) {
  for (const listener of listeners) listener(event)
}

/** Hears what the line of the pharmacy tells, and 'missed' when something may not have been heard. */
export function usePharmacyNews(listener: Listener) {
  const hear = useEffectEvent(listener)
  useEffect(() => {
    const heard: Listener = (event) => hear(event)
    listeners.add(heard)
    return () => {
      listeners.delete(heard)
    }
  }, [])
}
