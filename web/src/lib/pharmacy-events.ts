import { useEffect, useEffectEvent } from 'react'

/** @param event one of `topicEvents` */
type Listener = (event: string) => void

const listeners = new Set<Listener>()

/**
 * Forwards an event of the pharmacy's realtime channel to all subscribers on the page. There is one channel per page.
 */
export function publishPharmacyEvent(event: string) {
  for (const listener of listeners) listener(event)
}

/** Subscribes to the events of the pharmacy's channel. 'missed' is published when events may have been lost. */
export function usePharmacyEvents(listener: Listener) {
  const onEvent = useEffectEvent(listener)
  useEffect(() => {
    const registered: Listener = (event) => onEvent(event)
    listeners.add(registered)
    return () => {
      listeners.delete(registered)
    }
  }, [])
}
