import { paths } from '@bancone/contract/pages'
import { topicEvents } from '@bancone/contract/realtime'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { publishPharmacyEvent } from '../../lib/pharmacy-events.ts'
import { pharmacySession } from '../../lib/session.ts'
import { onAnnouncementOpened, withdrawAnnouncements } from './announcements.ts'
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

function tellOfArrivals() {
  publishPharmacyEvent(topicEvents.priority)
}

function forget() {
  quietly(withdrawAnnouncements())
  quietly(forgetSubscription())
}

/**
 * Runs while a pharmacy is signed in: keeps the device subscribed during the session, and opens the orders or the
 * customers with priority access after a click on their notification.
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
  useEffect(() => onWorkerMessage('NEW_ARRIVALS', tellOfArrivals), [])

  useEffect(() => pharmacySession.onUserChange(forget), [])

  useEffect(() => {
    const showOrders = () => void navigate(paths.dashboard)
    const showArrivals = () => void navigate(paths.priority)
    const stops = [
      onWorkerMessage('SHOW_ORDERS', showOrders),
      onWorkerMessage('SHOW_ARRIVALS', showArrivals),
      onAnnouncementOpened((tag) => (tag === 'arrivals' ? showArrivals() : showOrders())),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [navigate])

  return null
}
