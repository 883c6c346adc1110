import type { Request } from '@bancone/contract/endpoint'
import type { recordVisit } from '@bancone/contract/visits'

export type Visit = Request<typeof recordVisit>['body']

/** Typed by the contract without importing its schemas, to save code. */
const path: (typeof recordVisit)['path'] = '/api/public/visits'

/** Sends a visit to the server, also while the page is being left. Errors are ignored. */
export function sendVisit(visit: Visit): void {
  const body = new Blob([JSON.stringify(visit)], { type: 'application/json' })
  if (beacon(body)) return
  fetch(path, { method: 'POST', body, keepalive: true }).catch(() => undefined)
}

/** @returns false when the browser has no `sendBeacon`, or it was refused */
function beacon(body: Blob): boolean {
  try {
    return navigator.sendBeacon(path, body)
  } catch {
    return false
  }
}
