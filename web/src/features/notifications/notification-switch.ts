import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { type Advice, openPagesOnly, stateAdvice } from './notification-advice.ts'
import { askPermission, notificationPreference, notificationState } from './notification-state.ts'

/** It talks to the server and is not needed to show the page. */
const loadPush = () => import('./push-subscription.ts')

/**
 * Switches the notifications of this device on or off; a click must have asked for it.
 *
 * @returns what stands in the way; null when it is done, or when the user left the browser's question open
 */
export async function switchNotifications(): Promise<Advice | null> {
  const state = notificationState()
  switch (state) {
    case 'on': {
      notificationPreference.set(false)
      const { unsubscribeThisDevice } = await loadPush()
      await unsubscribeThisDevice().catch(() => undefined)
      return null
    }
    case 'off':
      return switchOn()
    case 'unasked': {
      await askPermission()
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
    const { subscribeThisDevice } = await loadPush()
    await subscribeThisDevice()
    return null
  } catch (error) {
    return { title: openPagesOnly, text: subscriptionProblem(error) }
  }
}

/** Why the device could not be subscribed: our server said so, or the browser's push service. */
export function subscriptionProblem(error: unknown): string {
  if (error instanceof ApiError) return errorMessage(error)
  return 'Il servizio di notifiche del browser non risponde. Riprova più tardi.'
}
