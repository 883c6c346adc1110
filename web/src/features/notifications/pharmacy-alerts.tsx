import { OrderSound } from './order-sound.tsx'
import { PushRegistration } from './push-registration.tsx'

type PharmacyAlertsProps = {
  /** Number of unseen orders. */
  unseen: number
  /** A push has announced new orders. */
  onNews: () => void
}

/** Notifications of new orders on every page of a pharmacy; loaded after the page. */
export function PharmacyAlerts({ unseen, onNews }: PharmacyAlertsProps) {
  return (
    <>
      <PushRegistration onNews={onNews} />
      <OrderSound unseen={unseen} />
    </>
  )
}
