import { NotificationKeeper } from './notification-keeper.tsx'
import { OrderSound } from './order-sound.tsx'

type PharmacyAlertsProps = {
  /** How many orders nobody has seen. */
  unseen: number
  /** A push says that there is something to read. */
  onNews: () => void
}

/** What tells of new orders on every page of a pharmacy. The pages do not wait for it. */
export function PharmacyAlerts({ unseen, onNews }: PharmacyAlertsProps) {
  return (
    <>
      <NotificationKeeper onNews={onNews} />
      <OrderSound unseen={unseen} />
    </>
  )
}
