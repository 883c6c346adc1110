import { useEffect, useRef, useState } from 'react'
import { createDevicePreference, useDevicePreference } from './device-preference.ts'
import { type OrderBell, startOrderBell } from './order-bell.ts'

export const soundPreference = createDevicePreference('orderSound', false)

/**
 * Rings, if this device wants it, for as long as there are orders nobody has seen on any screen.
 *
 * @returns `blocked`: the browser keeps the page silent until somebody touches it; `unblock` does so
 */
export function useOrderSound({ unseen }: { unseen: number }) {
  const wanted = useDevicePreference(soundPreference)
  const [blocked, setBlocked] = useState(false)
  const bell = useRef<OrderBell>(undefined)
  const heard = useRef(unseen)
  const ringing = wanted && unseen > 0

  useEffect(() => {
    if (!ringing) return
    const started = startOrderBell(setBlocked)
    bell.current = started
    return () => {
      started.stop()
      bell.current = undefined
    }
  }, [ringing])

  useEffect(() => {
    // The first ones are what the bell has begun with.
    if (heard.current > 0 && unseen > heard.current) bell.current?.strike()
    heard.current = unseen
  }, [unseen])

  return { blocked, unblock: () => bell.current?.unblock() }
}
