import type { Request } from '@bancone/contract/endpoint'
import type { recordVisit } from '@bancone/contract/visits'

export type Visit = Request<typeof recordVisit>['body']

/** Only the types of the contract: its schemas would come along. */
const path: (typeof recordVisit)['path'] = '/api/public/visits'

/** Tells the server, also when the page is being left. Nobody is told when that fails. */
export function sendVisit(visit: Visit): void {
  const body = new Blob([JSON.stringify(visit)], { type: 'application/json' })
  if (beacon(body)) return
  fetch(path, { method: 'POST', body, keepalive: true }).catch(() => undefined)
}

/** @returns false where there is none, or it would not take it */
function beacon(body: Blob): boolean {
  try {
    return navigator.sendBeacon(path, body)
  } catch {
    return false
  }
}
