import { NewsSound } from './news-sound.tsx'
import { PushRegistration } from './push-registration.tsx'
import type { NewsToHear } from './use-news-sound.ts'

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
