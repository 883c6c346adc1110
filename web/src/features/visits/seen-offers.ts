/** Milliseconds for which an offer must be on the screen, at least half of it. */
const SEEN_MS = 1_000
const VISIBLE = 0.5

/** Milliseconds between two reports, and the most offers of one: `MAX_SEEN_OFFERS` of the contract. */
const REPORT_MS = 10_000
const MOST = 100

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
    for (let from = 0; from < ids.length; from += MOST) report(ids.slice(from, from + MOST))
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
