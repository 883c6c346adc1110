import type { Request } from '@bancone/contract/endpoint'
import { LINK_TAGS, type LinkTag, TAG_PARAM } from '@bancone/contract/link-tags'
import { ORDER_CODE_LENGTH, ORDER_CODE_SIGNS } from '@bancone/contract/order-codes'
import {
  MAX_SEEN_OFFERS,
  recordPageEvent,
  VIEW_DEDUPLICATION_SECONDS,
} from '@bancone/contract/page-views'
import { browserStorage } from '../../lib/browser-storage.ts'
import { queryString } from '../../lib/query-string.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

/**
 * Reads the tag of the link that led here, and removes it from the address bar: a link that is copied from there is not
 * counted as the flyer.
 */
export function takeLinkTag(): LinkTag | null {
  const query = new URLSearchParams(location.search)
  const text = query.get(TAG_PARAM)
  if (text === null) return null
  query.delete(TAG_PARAM)
  history.replaceState(history.state, '', location.pathname + queryString(query) + location.hash)
  return LINK_TAGS.find((tag) => tag === text) ?? null
}

/** Maximum length of the referrer, which is sent without its query. */
const REFERRER_LENGTH = 500

/**
 * Reports what happens on a pharmacy's public page to the server. Nothing is stored in the browser.
 * @param pharmacyCode the readable code
 * @param tag of the link that led to the page
 */
export function createPageTracker(pharmacyCode: string, tag: LinkTag | null) {
  let viewedAt: number | undefined

  const send = (what: Omit<PageEvent, 'pharmacyCode'>) => sendEvent({ pharmacyCode, ...what })

  function viewed() {
    const now = performance.now()
    const isRepeated = viewedAt !== undefined && now - viewedAt < VIEW_DEDUPLICATION_SECONDS * 1_000
    if (optsOut() || isRepeated) return
    viewedAt = now
    // Of staff nothing is said but that they were here.
    send(isStaff() ? { kind: 'staff' } : { kind: 'view', referrer: cameFrom(), tag })
  }

  const isCounted = () => !optsOut() && !isStaff()

  function done(what: Omit<PageEvent, 'pharmacyCode'>) {
    if (isCounted()) send(what)
  }

  const seenOffers = createSeenOffers((offerIds) => done({ kind: 'offer_seen', offerIds }))

  return {
    /** Counts a view when the page becomes visible, and again when the browser restores it. */
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
    /** Counts when the offer in the element is seen: a ref. */
    watch: (element: Element | null) =>
      element && isCounted() ? seenOffers.watch(element) : () => undefined,
    opened: (offerId: string) =>
      whenVisible(() => done({ kind: 'offer_opened', offerIds: [offerId] })),
    /** A code for the text of an order; null where orders are not counted. */
    orderCode: () => (isCounted() ? newOrderCode() : null),
    whatsApp: (offerIds: readonly string[], code: string | null) =>
      done({ kind: 'whatsapp_tapped', offerIds: [...offerIds], code }),
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

/** A new random order code. */
function newOrderCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ORDER_CODE_LENGTH))
  return Array.from(bytes, (byte) => ORDER_CODE_SIGNS[byte % ORDER_CODE_SIGNS.length]).join('')
}

type PageEvent = Request<typeof recordPageEvent>['body']

/** Sends an event to the server, also while the page is being left. Errors are ignored. */
function sendEvent(event: PageEvent): void {
  const { path } = recordPageEvent
  const body = new Blob([JSON.stringify(event)], { type: 'application/json' })
  if (beacon(path, body)) return
  fetch(path, { method: 'POST', body, keepalive: true }).catch(() => undefined)
}

/** @returns false when the browser has no `sendBeacon`, or it was refused */
function beacon(path: string, body: Blob): boolean {
  try {
    return navigator.sendBeacon(path, body)
  } catch {
    return false
  }
}

/** Whether the visitor has opted out of tracking. The server counts it when the page is requested. */
function optsOut(): boolean {
  // Not all browsers have it.
  const { doNotTrack, globalPrivacyControl }: Navigator & { globalPrivacyControl?: boolean } =
    navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

/** Whether a pharmacy or an administrator is signed in. */
function isStaff(): boolean {
  return Object.values(storageKeys).some(({ session }) => browserStorage.getItem(session) !== null)
}

/** Milliseconds for which an offer must be on the screen, at least half of it. */
const SEEN_MS = 1_000
const VISIBLE = 0.5

/** Milliseconds between two reports. */
const REPORT_MS = 10_000

/** Reports each offer that was really visible, once. @param report is called with ids, also while the page is left */
export function createSeenOffers(report: (offerIds: string[]) => void) {
  const seen = new Set<string>()
  let unsent: string[] = []
  let due: ReturnType<typeof setTimeout> | undefined
  const waiting = new Map<Element, ReturnType<typeof setTimeout>>()
  let observer: IntersectionObserver | undefined

  function send() {
    clearTimeout(due)
    due = undefined
    const ids = unsent
    unsent = []
    for (let from = 0; from < ids.length; from += MAX_SEEN_OFFERS)
      report(ids.slice(from, from + MAX_SEEN_OFFERS))
  }

  function look(element: Element) {
    // In a background tab, or behind a dialog.
    if (document.hidden || document.querySelector('dialog[open]')) return wait(element)
    stop(element)
    const id = element.getAttribute('data-offer')
    if (id === null || seen.has(id)) return
    seen.add(id)
    unsent.push(id)
    due ??= setTimeout(send, REPORT_MS)
  }

  function wait(element: Element) {
    clearTimeout(waiting.get(element))
    waiting.set(
      element,
      setTimeout(() => look(element), SEEN_MS),
    )
  }

  function pause(element: Element) {
    clearTimeout(waiting.get(element))
    waiting.delete(element)
  }

  function stop(element: Element) {
    pause(element)
    observer?.unobserve(element)
  }

  function start(): IntersectionObserver {
    window.addEventListener('pagehide', send)
    document.addEventListener('visibilitychange', () => (document.hidden ? send() : undefined))
    return new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) (isIntersecting ? wait : pause)(target)
      },
      { threshold: VISIBLE },
    )
  }

  return {
    /** Watches an element with the offer's id in `data-offer`. @returns a function that stops it */
    watch(element: Element): () => void {
      if (!('IntersectionObserver' in window)) return () => undefined
      observer ??= start()
      observer.observe(element)
      return () => stop(element)
    },
  }
}
