import { browserStorage } from '../../lib/browser-storage.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

/** Whether the visitor has opted out of tracking. The server counts it when the page is requested. */
export function optsOut(): boolean {
  // Not all browsers have it.
  const { doNotTrack, globalPrivacyControl }: Navigator & { globalPrivacyControl?: boolean } =
    navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

/** Whether a pharmacy or an administrator is signed in. */
export function isStaff(): boolean {
  return Object.values(storageKeys).some(({ session }) => browserStorage.getItem(session) !== null)
}
