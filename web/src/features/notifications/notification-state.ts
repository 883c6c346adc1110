import { useSyncExternalStore } from 'react'
import { createDevicePreference } from './device-preference.ts'

/**
 * `on` requires both the preference, which is on by default, and the permission of the browser: without it, nothing
 * would arrive.
 *
 * `off`: switched off by the user; `unasked`: the permission was not requested yet; `blocked`: it was denied;
 * `insecure`: the page is not https; `install-first`: iPhones notify only apps on the home screen; `unsupported`: the
 * browser has no notifications.
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

/** An iPad reports to be a Mac; no Mac has a touch screen. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** Requests the permission; browsers allow that only after a click. */
export async function requestPermission(): Promise<void> {
  await Notification.requestPermission()
  for (const viewer of viewers) viewer()
}

function subscribe(viewer: () => void): () => void {
  const stop = notificationPreference.subscribe(viewer)
  viewers.add(viewer)
  // The user may return from the browser's settings with a changed permission.
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
