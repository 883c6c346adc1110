import { paths } from '@bancone/contract/pages'
import { topicEvents } from '@bancone/contract/realtime'
import { Volume2 } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { publishPharmacyEvent } from '../../lib/pharmacy-events.ts'
import { pharmacySession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { onAnnouncementOpened, withdrawAnnouncements } from './announcements.ts'
import { notificationState } from './notification-state.ts'
import {
  forgetSubscription,
  renewDeviceSubscription,
  subscribeThisDevice,
} from './push-subscription.ts'
import { onWorkerMessage, startServiceWorker } from './service-worker.ts'
import { type NewsToHear, useNewsSound } from './use-news-sound.ts'

type PharmacyAlertsProps = NewsToHear & {
  /** A push has announced new orders. */
  onNews: () => void
}

/** Notifications of new orders and arrivals on every page of a pharmacy; loaded after the page. */
export function PharmacyAlerts({ onNews, ...news }: PharmacyAlertsProps) {
  return (
    <>
      <PushRegistration onNews={onNews} />
      <NewsSound {...news} />
    </>
  )
}

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

function notifyOfArrivals() {
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
  useEffect(() => onWorkerMessage('NEW_ARRIVALS', notifyOfArrivals), [])

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

/** The sound of unseen orders and of arrivals, with a button where the browser blocks it. */
export function NewsSound(news: NewsToHear) {
  const { blocked, unblock } = useNewsSound(news)
  const hasArrivals = Boolean(news.arrivals)
  return (
    <div role="status">
      {blocked ? (
        <Button look={hasArrivals ? 'secondary' : 'primary'} className="ml-2" onClick={unblock}>
          <Volume2 aria-hidden />
          {/* The announcement of an arrival has the room on a phone. */}
          <span className={hasArrivals ? 'max-[30rem]:sr-only' : undefined}>
            {news.arrivals === null ? 'Tocca per attivare il suono' : 'Attiva suoni'}
          </span>
        </Button>
      ) : null}
    </div>
  )
}
