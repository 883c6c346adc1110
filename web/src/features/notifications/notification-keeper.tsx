import { paths } from '@bancone/contract/pages'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { pharmacySession } from '../../lib/session.ts'
import { onAnnouncementOpened, withdrawAnnouncements } from './announce-new-orders.ts'
import { notificationState } from './notification-state.ts'
import {
  forgetSubscription,
  keepThisDeviceSubscribed,
  subscribeThisDevice,
} from './push-subscription.ts'
import { onWorkerMessage, startServiceWorker } from './service-worker.ts'

/** Whoever was not asking for it just now is not told that it did not work; 'Avvisi' says so. */
function quietly(work: Promise<unknown>) {
  void work.catch(() => undefined)
}

function keep() {
  quietly(notificationState() === 'on' ? keepThisDeviceSubscribed() : startServiceWorker())
}

function renew() {
  if (notificationState() === 'on') quietly(subscribeThisDevice())
}

function forget() {
  quietly(withdrawAnnouncements())
  quietly(forgetSubscription())
}

/**
 * Runs while a pharmacy is signed in: keeps the device subscribed for as long as the session lasts, and
 * leads who clicks on a notification to the orders.
 */
export function NotificationKeeper({ onNews }: { onNews: () => void }) {
  const navigate = useNavigate()
  const news = useEffectEvent(onNews)

  useEffect(() => {
    keep()
    return onWorkerMessage('SUBSCRIPTION_CHANGED', renew)
  }, [])

  // Somebody looks at this page, so the push has shown nothing: the page itself must.
  useEffect(() => onWorkerMessage('NEW_ORDERS', () => news()), [])

  useEffect(() => pharmacySession.onUserEnded(forget), [])

  useEffect(() => {
    const show = () => void navigate(paths.dashboard)
    const stops = [onWorkerMessage('SHOW_ORDERS', show), onAnnouncementOpened(show)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigate])

  return null
}
