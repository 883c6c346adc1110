import { paths } from '@bancone/contract/pages'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { pharmacySession } from '../../lib/session.ts'
import { onAnnouncementOpened, withdrawAnnouncements } from './announce-new-orders.ts'
import { notificationState } from './notification-state.ts'
import {
  forgetSubscription,
  renewDeviceSubscription,
  subscribeThisDevice,
} from './push-subscription.ts'
import { onWorkerMessage, startServiceWorker } from './service-worker.ts'

/** Errors of background work are not reported; 'Avvisi' shows the state. */
function quietly(work: Promise<unknown>) {
  void work.catch(() => undefined)
}

function keep() {
  quietly(notificationState() === 'on' ? renewDeviceSubscription() : startServiceWorker())
}

function renew() {
  if (notificationState() === 'on') quietly(subscribeThisDevice())
}

function forget() {
  quietly(withdrawAnnouncements())
  quietly(forgetSubscription())
}

/**
 * Runs while a pharmacy is signed in: keeps the device subscribed during the session, and opens the orders after a
 * click on a notification.
 */
export function PushRegistration({ onNews }: { onNews: () => void }) {
  const navigate = useNavigate()
  const news = useEffectEvent(onNews)

  useEffect(() => {
    keep()
    return onWorkerMessage('SUBSCRIPTION_CHANGED', renew)
  }, [])

  // The page is visible, so the service worker has shown no notification: the page does.
  useEffect(() => onWorkerMessage('NEW_ORDERS', () => news()), [])

  useEffect(() => pharmacySession.onUserChange(forget), [])

  useEffect(() => {
    const show = () => void navigate(paths.dashboard)
    const stops = [onWorkerMessage('SHOW_ORDERS', show), onAnnouncementOpened(show)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigate])

  return null
}
