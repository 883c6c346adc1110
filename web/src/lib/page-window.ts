import { PAGE_WINDOW } from '@bancone/contract/paging'

/** The page numbers to show: up to five, centred on the current page where possible. */
export function pageWindow(current: number, total: number): number[] {
  const count = Math.min(PAGE_WINDOW, total)
  const latest = total - count + 1
  const first = Math.max(1, Math.min(current - Math.floor(PAGE_WINDOW / 2), latest))
  return Array.from({ length: count }, (_, index) => first + index)
}
