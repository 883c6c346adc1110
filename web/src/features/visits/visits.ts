import type { VisitTag } from '@bancone/contract/visit-tags'
import { newOrderCode } from './order-code.ts'
import { createSeenOffers } from './seen-offers.ts'
import { sendVisit, type Visit } from './send-visit.ts'
import { isStaff, optsOut } from './uncounted.ts'

/** Milliseconds in which repeated views of a page count once; the server knows better. */
const ONCE_MS = 30_000

/** Maximum length of the referrer, which is sent without its query. */
const REFERRER_LENGTH = 500

export type Visits = {
  /**
   * Counts a view when the page becomes visible, and again when the browser restores it.
   * @returns a function that stops counting
   */
  view(): () => void
  /** Counts when the offer in the element is seen: a ref. */
  watch(element: Element | null): () => void
  opened(offerId: string): void
  /** A code for the text of an order; null where orders are not counted. */
  orderCode(): string | null
  /** @param offerIds the products of the message */
  whatsApp(offerIds: readonly string[], code: string | null): void
  call(): void
}

/**
 * Reports visits of a pharmacy's public page to the server. Nothing is stored in the browser.
 * @param pharmacyCode the readable code
 * @param tag of the link that led to the page
 */
export function createVisits(pharmacyCode: string, tag: VisitTag | null): Visits {
  let viewedAt: number | undefined

  const send = (what: Omit<Visit, 'pharmacyId'>) => sendVisit({ pharmacyId: pharmacyCode, ...what })

  function viewed() {
    const now = performance.now()
    if (optsOut() || (viewedAt !== undefined && now - viewedAt < ONCE_MS)) return
    viewedAt = now
    // Of staff nothing is said but that they were here.
    send(isStaff() ? { kind: 'staff' } : { kind: 'view', referrer: cameFrom(), tag })
  }

  const isCounted = () => !optsOut() && !isStaff()

  function done(what: Omit<Visit, 'pharmacyId'>) {
    if (isCounted()) send(what)
  }

  const seenOffers = createSeenOffers((offerIds) => done({ kind: 'offer_seen', offerIds }))

  return {
    view() {
      const stop = new AbortController()
      const { signal } = stop
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) viewed()
      }
      window.addEventListener('pageshow', onPageShow, { signal })
      whenVisible(viewed, signal)
      return () => stop.abort()
    },
    watch: (element) => (element && isCounted() ? seenOffers.watch(element) : () => undefined),
    opened: (offerId) => whenVisible(() => done({ kind: 'offer_opened', offerIds: [offerId] })),
    orderCode: () => (isCounted() ? newOrderCode() : null),
    whatsApp: (offerIds, code) => done({ kind: 'whatsapp_tapped', offerIds: [...offerIds], code }),
    call: () => done({ kind: 'call_tapped' }),
  }
}

/** A prerendered page, or one in a background tab, has not been seen yet. */
function whenVisible(work: () => void, signal?: AbortSignal) {
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
