import { MOST_ORDERED } from '@bancone/contract/whatsapp-order'
import { tabStorage } from '../../lib/browser-storage.ts'
import { sendVisit, type Visit } from './send-visit.ts'
import { isUncounted } from './uncounted.ts'
import { visitSession } from './visit-session.ts'

/** Milliseconds in which a session sees a page once. */
const ONCE_MS = 30_000

/** Where the visitor came from, without what was said there. */
const REFERRER_LENGTH = 500

export type Visits = {
  /**
   * Counts the page when it is seen, and again when the browser brings it back.
   * @returns ends that
   */
  view(): () => void
  opened(offerId: string): void
  /** @param offerIds the products of the message */
  whatsApp(offerIds: readonly string[]): void
  call(): void
}

/** What is done on a pharmacy's public page, told to the server. @param pharmacyCode the readable one */
export function createVisits(pharmacyCode: string): Visits {
  const seenKey = `bancone-visit:${pharmacyCode}`

  function send(what: Pick<Visit, 'kind' | 'offerIds' | 'referrer'>) {
    sendVisit({ pharmacyId: pharmacyCode, sessionId: visitSession(), ...what })
  }

  function seen() {
    const age = Date.now() - Number(tabStorage.getItem(seenKey) ?? 0)
    // A clock that was put back must not keep the page from being counted.
    if (isUncounted() || (age >= 0 && age < ONCE_MS)) return
    tabStorage.setItem(seenKey, String(Date.now()))
    send({ kind: 'view', referrer: cameFrom() })
  }

  function done(kind: Visit['kind'], offerIds: string[]) {
    if (!isUncounted()) send({ kind, offerIds })
  }

  return {
    view() {
      const stop = new AbortController()
      const { signal } = stop
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) seen()
      }
      window.addEventListener('pageshow', onPageShow, { signal })
      whenSeen(seen, signal)
      return () => stop.abort()
    },
    opened: (offerId) => whenSeen(() => done('offer_opened', [offerId])),
    whatsApp: (offerIds) => done('whatsapp_tapped', offerIds.slice(0, MOST_ORDERED)),
    call: () => done('call_tapped', []),
  }
}

/** A page that is loaded beforehand, or in another tab, has not been seen by anybody yet. */
function whenSeen(work: () => void, signal?: AbortSignal) {
  const look = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', look)
    work()
  }
  document.addEventListener('visibilitychange', look, { ...(signal && { signal }) })
  look()
}

function cameFrom(): string | null {
  const plain = document.referrer.split(/[?#]/, 1)[0]
  return plain ? plain.slice(0, REFERRER_LENGTH) : null
}
