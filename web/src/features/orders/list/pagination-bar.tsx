import { PAGE_WINDOW } from '@bancone/contract/paging'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import type { KnownPagination } from '../data/use-order-counts.ts'

type PaginationBarProps = {
  pagination: KnownPagination
  /** The page in the URL; the rows may still be those of another page. */
  requestedPage: number
  /** Number of orders on this page. */
  rows: number
  /** Called when a pointer goes down on a button, before its click leads to the page. */
  onPress: (page: number) => void
  onPage: (page: number) => void
}

export function PaginationBar(props: PaginationBarProps) {
  const { pagination, requestedPage, rows, onPress, onPage } = props
  const { currentPage, totalPages, hasNextPage } = pagination
  if (totalPages === null ? currentPage === 1 && !hasNextPage : totalPages <= 1) return null
  // Without a count only the next page is known to exist.
  const last = totalPages ?? (hasNextPage ? currentPage + 1 : currentPage)

  const isOther = (page: number) => page >= 1 && page <= last && page !== requestedPage

  function press(page: number) {
    if (isOther(page)) onPress(page)
  }

  function go(page: number) {
    if (!isOther(page)) return
    onPage(page)
    window.scrollTo({ top: 0 })
  }

  const step = 'max-md:w-11 max-md:px-0'
  return (
    <nav
      aria-label="Pagine degli ordini"
      className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 max-md:justify-center print:hidden"
    >
      <p className="text-[13px] text-muted tabular-nums">
        Pagina {formatNumber(currentPage)}
        {totalPages === null ? null : ` di ${formatNumber(totalPages)}`} • {formatNumber(rows)}{' '}
        ordini in questa pagina
      </p>
      <div className="flex items-center gap-0.5 md:gap-1">
        <Button
          look="quiet"
          className={step}
          inactive={requestedPage <= 1}
          onPointerDown={() => press(requestedPage - 1)}
          onClick={() => go(requestedPage - 1)}
        >
          <ChevronLeft aria-hidden />
          <span className="max-md:sr-only">Precedente</span>
        </Button>
        {(totalPages === null ? [requestedPage] : pageWindow(requestedPage, totalPages)).map(
          (page) => (
            <Button
              key={page}
              look="quiet"
              aria-current={page === requestedPage ? 'page' : undefined}
              className={cn(
                'min-w-11 tabular-nums max-md:px-1 md:min-w-9',
                page === requestedPage && 'bg-accent-soft text-accent',
              )}
              onPointerDown={() => press(page)}
              // The numbers shift after a click: the second click of a double click would hit another one.
              onClick={({ detail }) => (detail > 1 ? undefined : go(page))}
            >
              {formatNumber(page)}
            </Button>
          ),
        )}
        <Button
          look="quiet"
          className={step}
          inactive={requestedPage >= last}
          onPointerDown={() => press(requestedPage + 1)}
          onClick={() => go(requestedPage + 1)}
        >
          <span className="max-md:sr-only">Successiva</span>
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  )
}

/** The page numbers to show: up to five, centred on the current page where possible. */
export function pageWindow(current: number, total: number): number[] {
  const count = Math.min(PAGE_WINDOW, total)
  const latest = total - count + 1
  const first = Math.max(1, Math.min(current - Math.floor(PAGE_WINDOW / 2), latest))
  return Array.from({ length: count }, (_, index) => first + index)
}
