import { useEffect, useRef, useState } from 'react'
import { setTitleAlarm } from '../../lib/use-document-title.ts'
import { type Bell, createSpeaker, GESTURES, startBell } from './bell.ts'
import { createDevicePreference, useDevicePreference } from './device-preference.ts'

export const soundPreference = createDevicePreference('orderSound', false)
export const arrivalSoundPreference = createDevicePreference('arrivalSound', true)

const FLASH_MS = 1_000
const ALARM = 'Cliente in attesa!'

/** Lets the title of the tab flash. */
function useTitleFlash(on: boolean) {
  useEffect(() => {
    if (!on) return
    let lit = true
    setTitleAlarm(ALARM)
    const timer = setInterval(() => {
      lit = !lit
      setTitleAlarm(lit ? ALARM : '')
    }, FLASH_MS)
    return () => {
      clearInterval(timer)
      setTitleAlarm('')
    }
  }, [on])
}

export type NewsToHear = {
  /** Number of unseen orders. */
  unseen: number
  /** Number of arrivals that no operator has acknowledged; null for a pharmacy without priority access. */
  arrivals: number | null
}

/**
 * Rings while there are unseen orders or arrivals, as far as this device has their sounds switched on. Arrivals flash in
 * the title while the browser blocks the sound.
 *
 * @returns `blocked`: the browser blocks a sound until a user gesture; `unblock` must be called by one
 */
export function useNewsSound({ unseen, arrivals }: NewsToHear) {
  const ordersWanted = useDevicePreference(soundPreference)
  const arrivalsWanted = useDevicePreference(arrivalSoundPreference)
  const [silenced, setSilenced] = useState(false)
  const bell = useRef<Bell>(undefined)
  const speaker = useRef<HTMLAudioElement>(undefined)
  const orders = ordersWanted ? unseen : 0
  const customers = arrivalsWanted ? (arrivals ?? 0) : 0
  const heard = useRef({ orders, customers })
  const ringing = orders + customers > 0
  // Customers wait at the door: that their sound is blocked is said before one comes.
  const blockedBefore = useSoundBlocked(arrivals !== null && arrivalsWanted)
  const blocked = silenced || blockedBefore
  useTitleFlash(blocked && customers > 0)

  useEffect(() => {
    if (!ringing) return
    speaker.current ??= createSpeaker()
    const started = startBell(speaker.current, setSilenced)
    bell.current = started
    return () => {
      started.stop()
      bell.current = undefined
      setSilenced(false)
    }
  }, [ringing])

  useEffect(() => {
    const before = heard.current
    const isMore = orders > before.orders || customers > before.customers
    // Not for the first ones, with which the bell has started.
    if (before.orders + before.customers > 0 && isMore) bell.current?.strike()
    heard.current = { orders, customers }
  }, [orders, customers])

  return {
    blocked,
    unblock() {
      if (bell.current) bell.current.unblock()
      else {
        // A sample, within the gesture: the sound of this element is then permitted.
        speaker.current ??= createSpeaker()
        speaker.current.play().catch(() => undefined)
      }
    },
  }
}

/** A context that may play says so within this time. */
const ANSWER_MS = 500

/**
 * Whether the browser would block a sound until a user gesture, found out with a silent `AudioContext`. Any gesture on
 * the page resolves it.
 *
 * @param wanted whether to find out
 */
function useSoundBlocked(wanted: boolean): boolean {
  const [blocked, setBlocked] = useState(false)

  useEffect(() => {
    if (!wanted || !('AudioContext' in window)) return
    const context = new AudioContext()
    const end = new AbortController()
    const { signal } = end

    function stop() {
      clearTimeout(timer)
      end.abort()
      setBlocked(false)
      if (context.state !== 'closed') void context.close().catch(() => undefined)
    }
    function look() {
      // Permitted once, the page may sound until it is left: the context has done its work.
      if (context.state === 'running') stop()
    }
    const timer = setTimeout(() => setBlocked(context.state === 'suspended'), ANSWER_MS)
    context.addEventListener('statechange', look, { signal })
    for (const gesture of GESTURES) {
      const resume = () => void context.resume().then(look, () => undefined)
      document.addEventListener(gesture, resume, { signal })
    }
    look()
    return stop
  }, [wanted])

  return blocked
}
