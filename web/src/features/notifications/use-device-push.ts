import { testDevice } from '@bancone/contract/notifications'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { subscriptionProblem } from './notification-switch.ts'
import { pushSupported, subscribeThisDevice } from './push-subscription.ts'

type DevicePush =
  | { status: 'checking' }
  /** It is told also with no page open, at this address. */
  | { status: 'ready'; endpoint: string }
  /** The browser has no such thing. */
  | { status: 'unsupported' }
  | { status: 'failed'; reason: string }

/** Whether this device is told with no page open. Looking mends what can be mended. */
export function useDevicePush() {
  const [push, setPush] = useState<DevicePush>(first)
  const attempt = useRef(0)

  const look = useCallback(async () => {
    attempt.current += 1
    const mine = attempt.current
    const found = await subscription()
    if (mine === attempt.current) setPush(found)
  }, [])

  useEffect(() => {
    void look()
    return () => {
      attempt.current += 1
    }
  }, [look])

  function retry() {
    setPush(first())
    void look()
  }

  return { push, retry }
}

function first(): DevicePush {
  return { status: pushSupported() ? 'checking' : 'unsupported' }
}

async function subscription(): Promise<DevicePush> {
  try {
    const endpoint = await subscribeThisDevice()
    return endpoint === null ? { status: 'unsupported' } : { status: 'ready', endpoint }
  } catch (error) {
    return { status: 'failed', reason: subscriptionProblem(error) }
  }
}

type TestResult = { ok: boolean; text: string }

/** Sends a test to this device, and says how it went. */
export function useTestNotification(endpoint: string) {
  const [sending, setSending] = useState(false)
  const [result, setResult] = useState<TestResult | null>(null)

  async function send() {
    setSending(true)
    setResult(null)
    try {
      await call(testDevice, { body: { endpoint } })
      setResult({ ok: true, text: 'Inviata: la notifica compare tra qualche secondo.' })
    } catch (error) {
      setResult({ ok: false, text: errorMessage(error) })
    } finally {
      setSending(false)
    }
  }

  return { sending, result, send }
}
