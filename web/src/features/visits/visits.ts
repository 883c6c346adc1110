import { MAX_ORDERED_PRODUCTS } from '@bancone/contract/whatsapp-order'
import { tabStorage } from '../../lib/browser-storage.ts'
import { sendVisit, type Visit } from './send-visit.ts'
import { isUncounted } from './uncounted.ts'
import { visitSession } from './visit-session.ts'

/** Milliseconds in which repeated views of a page by a session count once. */
const ONCE_MS = 30_000

/** Maximum length of the referrer, which is sent without its query. */
const REFERRER_LENGTH = 500

export type Visits = {
  /**
   * Counts a view when the page becomes visible, and again when the browser restores it.
   * @returns a function that stops counting
   */
  view(): () => void
  opened(offerId: string): void
  /** @param offerIds the products of the message */
  whatsApp(offerIds: readonly string[]): void
  call(): void
}

/** Reports visits of a pharmacy's public page to the server. @param pharmacyCode the readable code */
export function createVisits(pharmacyCode: string): Visits {
  const seenKey = `bancone-visit:${pharmacyCode}`

  function send(what: Pick<Visit, 'kind' | 'offerIds' | 'referrer'>) {
    sendVisit({ pharmacyId: pharmacyCode, sessionId: visitSession(), ...what })
  }

  function seen() {
    const age = Date.now() - Number(tabStorage.getItem(seenKey) ?? 0)
    // A clock that was set back must not prevent counting.
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
    whatsApp: (offerIds) => done('whatsapp_tapped', offerIds.slice(0, MAX_ORDERED_PRODUCTS)),
    call: () => done('call_tapped', []),
  }
}

/** A prerendered page, or one in a background tab, has not been seen yet. */
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
