import { browserStorage } from '../../lib/browser-storage.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

/** Whether the visitor opts out of tracking, or is staff. */
export function isUncounted(): boolean {
  return asksNotToBe() || isStaff()
}

function asksNotToBe(): boolean {
  // Not all browsers have it.
  const { doNotTrack, globalPrivacyControl }: Navigator & { globalPrivacyControl?: boolean } =
    navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

function isStaff(): boolean {
  return Object.values(storageKeys).some(({ session }) => browserStorage.getItem(session) !== null)
}
