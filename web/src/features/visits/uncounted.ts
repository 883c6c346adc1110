import { browserStorage } from '../../lib/browser-storage.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

/** Who asks not to be followed, or works here, is no visitor that is counted. */
export function isUncounted(): boolean {
  return asksNotToBe() || isStaff()
}

function asksNotToBe(): boolean {
  // Not every browser has it.
  const { doNotTrack, globalPrivacyControl }: Navigator & { globalPrivacyControl?: boolean } =
    navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

function isStaff(): boolean {
  return Object.values(storageKeys).some(({ session }) => browserStorage.getItem(session) !== null)
}
