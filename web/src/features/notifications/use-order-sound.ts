import { useEffect, useRef, useState } from 'react'
import { createDevicePreference, useDevicePreference } from './device-preference.ts'
import { type OrderBell, startOrderBell } from './order-bell.ts'

export const soundPreference = createDevicePreference('orderSound', false)

/**
 * Rings while there are unseen orders, if this device has the sound switched on.
 *
 * @returns `blocked`: the browser blocks the sound until a user gesture; `unblock` retries after one
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
    // Not for the first ones, with which the bell has started.
    if (heard.current > 0 && unseen > heard.current) bell.current?.strike()
    heard.current = unseen
  }, [unseen])

  return { blocked, unblock: () => bell.current?.unblock() }
}
