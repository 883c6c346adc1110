import { useSyncExternalStore } from 'react'
import { createDevicePreference } from './device-preference.ts'

/**
 * `on` takes both: the preference, which is on until somebody switches it off, and the permission of the
 * browser. Without it nothing would arrive, and a button that says otherwise would be wrong.
 *
 * `off` by choice; `unasked` nobody has answered the browser yet; `blocked` somebody said no; `insecure`
 * the address is not https; `install-first` an iPhone tells only those who have put us on the home screen;
 * `unsupported` the browser has no notifications.
 */
export type NotificationState =
  | 'on'
  | 'off'
  | 'unasked'
  | 'blocked'
  | 'insecure'
  | 'install-first'
  | 'unsupported'

export const notificationPreference = createDevicePreference('enableSystemNotifications', true)

const viewers = new Set<() => void>()

export function notificationState(): NotificationState {
  if ('isSecureContext' in window && !window.isSecureContext) return 'insecure'
  if (!('Notification' in window)) return isApplePhone() ? 'install-first' : 'unsupported'
  switch (Notification.permission) {
    case 'granted':
      return notificationPreference.isOn() ? 'on' : 'off'
    case 'denied':
      return 'blocked'
    case 'default':
      return 'unasked'
  }
}

/** An iPad says that it is a Mac; no Mac has a screen to touch. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** Asks the browser's question; only a click may. */
export async function askPermission(): Promise<void> {
  await Notification.requestPermission()
  for (const viewer of viewers) viewer()
}

function subscribe(viewer: () => void): () => void {
  const stop = notificationPreference.subscribe(viewer)
  viewers.add(viewer)
  // Who has changed the permission in the browser's settings comes back from there.
  window.addEventListener('focus', viewer)
  document.addEventListener('visibilitychange', viewer)
  return () => {
    stop()
    viewers.delete(viewer)
    window.removeEventListener('focus', viewer)
    document.removeEventListener('visibilitychange', viewer)
  }
}

export function useNotificationState(): NotificationState {
  return useSyncExternalStore(subscribe, notificationState)
}
