import { type RefObject, useEffect } from 'react'
import { isListInUse } from './hold-back.ts'
import { ordersListId } from './orders-focus.ts'

/**
 * Keeps the rows where they are while the list is in use and a banner above it comes or goes. Browsers do this on a page
 * that is scrolled. At its top the page scrolls by a new banner, and the room of one that goes is left.
 */
export function useKeptPlace(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const page = root.current
    if (!page) return
    /** The height of what is above the list; null while there is no list. */
    let above: number | null = null
    /** How far the page was scrolled, before the browser scrolled it for what has changed. */
    let scrolled = window.scrollY
    let room = 0

    function measure(): number | null {
      const list = document.getElementById(ordersListId)
      if (!page || !list) return null
      return list.getBoundingClientRect().top - page.getBoundingClientRect().top
    }

    function leave(next: number) {
      room = next
      if (page) page.style.paddingTop = next > 0 ? `${next}px` : ''
      above = measure()
    }

    function scrollBy(top: number) {
      if (!page) return
      // A short page has nothing to scroll.
      page.style.minHeight = `${window.innerHeight + top - page.getBoundingClientRect().top}px`
      window.scrollBy({ top, behavior: 'instant' })
    }

    /** Removes the empty room above the list once it is scrolled out of sight, or the list is not in use. */
    function close() {
      const isUsed = isListInUse()
      if (room > 0 && (window.scrollY >= room || !isUsed)) leave(0)
      if (page && !isUsed) page.style.minHeight = ''
    }

    function keep() {
      const now = measure()
      const grown = now === null || above === null ? 0 : now - above
      const before = scrolled
      above = now
      scrolled = window.scrollY
      if (Math.abs(grown) < 1 || !isListInUse()) return close()
      // What a banner that goes leaves, without what the browser scrolls back.
      if (grown < 0) return leave(room + Math.max(0, -grown - before))
      if (before > 0) return
      const taken = Math.min(room, grown)
      leave(room - taken)
      scrollBy(grown - taken)
      scrolled = window.scrollY
    }

    function onScroll() {
      scrolled = window.scrollY
      close()
    }

    const observer = new ResizeObserver(keep)
    observer.observe(page)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', onScroll)
    }
  }, [root])
}
