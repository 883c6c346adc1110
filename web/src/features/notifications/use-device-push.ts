import { testDevice } from '@bancone/contract/notifications'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { subscriptionProblem } from './notification-switch.ts'
import { pushSupported, subscribeThisDevice } from './push-subscription.ts'

type DevicePush =
  | { status: 'checking' }
  /** Notified also without an open page; `endpoint` is its push endpoint. */
  | { status: 'ready'; endpoint: string }
  /** The browser does not support push. */
  | { status: 'unsupported' }
  | { status: 'failed'; reason: string }

/** Whether this device gets push notifications. Renews the subscription if needed. */
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

/** Sends a test notification to this device, and reports the outcome. */
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
