import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { type Advice, openPagesOnly, stateAdvice } from './notification-advice.ts'
import {
  notificationPreference,
  notificationState,
  requestPermission,
} from './notification-state.ts'
import { subscribeThisDevice, unsubscribeThisDevice } from './push-subscription.ts'

/**
 * Switches the notifications of this device on or off; must be called by a click.
 *
 * @returns the obstacle; null on success, or when the user dismissed the browser's prompt
 */
export async function switchNotifications(): Promise<Advice | null> {
  const state = notificationState()
  switch (state) {
    case 'on': {
      notificationPreference.set(false)
      await unsubscribeThisDevice().catch(() => undefined)
      return null
    }
    case 'off':
      return switchOn()
    case 'unasked': {
      await requestPermission()
      const answered = notificationState()
      if (answered === 'blocked') return stateAdvice.blocked
      return answered === 'unasked' ? null : switchOn()
    }
    case 'blocked':
    case 'insecure':
    case 'install-first':
    case 'unsupported':
      return stateAdvice[state]
  }
}

async function switchOn(): Promise<Advice | null> {
  notificationPreference.set(true)
  try {
    await subscribeThisDevice()
    return null
  } catch (error) {
    return { title: openPagesOnly, text: subscriptionProblem(error) }
  }
}

/** Text for a failed subscription, by the server's or the push service's error. */
export function subscriptionProblem(error: unknown): string {
  if (error instanceof ApiError) return errorMessage(error)
  return 'Il servizio di notifiche del browser non risponde. Riprova più tardi.'
}
