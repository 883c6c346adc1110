import { Bell, BellOff } from 'lucide-react'
import { useEffect } from 'react'
import { loadWhenIdle } from '../../lib/when-idle.ts'
import { Button } from '../../ui/button.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { toastError } from '../../ui/toast.ts'
import { useNotificationState } from './notification-state.ts'

const loadSwitch = () => import('./notification-switch.ts')

async function press() {
  const code = await loadSwitch().catch(() => null)
  if (code === null) return notifyChunkFailure()
  const advice = await code.switchNotifications()
  if (advice) toastError(advice.title, { description: advice.text, about: 'notifications' })
}

/** Whether this device shows system notifications, with a button to change it. */
export function NotificationToggle() {
  const on = useNotificationState() === 'on'
  // Preloaded, because the permission can be requested only right after the click.
  useEffect(() => void loadWhenIdle(loadSwitch).catch(() => undefined), [])
  const Icon = on ? Bell : BellOff
  return (
    <Button aria-pressed={on} onClick={() => void press().catch(() => undefined)}>
      <Icon aria-hidden />
      {on ? 'Notifiche sistema attive' : 'Attiva notifiche sistema'}
    </Button>
  )
}
