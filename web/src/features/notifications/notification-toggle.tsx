import { Bell, BellOff } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.ts'
import { useNotificationState } from './notification-state.ts'
import { switchNotifications } from './notification-switch.ts'

async function press() {
  const advice = await switchNotifications()
  if (advice) toastError(advice.title, { description: advice.text, about: 'notifications' })
}

/** Whether this device raises notifications of the system, and the button that changes it. */
export function NotificationToggle() {
  const on = useNotificationState() === 'on'
  const Icon = on ? Bell : BellOff
  return (
    <Button
      aria-pressed={on}
      className="max-sm:flex-1 max-sm:px-2.5"
      onClick={() => void press().catch(() => undefined)}
    >
      <Icon aria-hidden />
      {on ? 'Notifiche sistema attive' : 'Attiva notifiche sistema'}
    </Button>
  )
}
