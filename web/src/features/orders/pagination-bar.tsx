import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { pageWindow } from '../../lib/page-window.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import type { KnownPagination } from './use-order-counts.ts'

type PaginationBarProps = {
  pagination: KnownPagination
  /** The page asked for: the rows may still be those of another. */
  asked: number
  /** Orders on this page. */
  rows: number
  onPage: (page: number) => void
}

export function PaginationBar({ pagination, asked, rows, onPage }: PaginationBarProps) {
  const { currentPage, totalPages, hasNextPage } = pagination
  if (totalPages === null ? currentPage === 1 && !hasNextPage : totalPages <= 1) return null
  // As long as nobody has counted them, there is one more page at most.
  const last = totalPages ?? (hasNextPage ? currentPage + 1 : currentPage)

  function go(page: number) {
    if (page < 1 || page > last || page === asked) return
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
        <Button look="quiet" className={step} inactive={asked <= 1} onClick={() => go(asked - 1)}>
          <ChevronLeft aria-hidden />
          <span className="max-md:sr-only">Precedente</span>
        </Button>
        {(totalPages === null ? [asked] : pageWindow(asked, totalPages)).map((page) => (
          <Button
            key={page}
            look="quiet"
            aria-current={page === asked ? 'page' : undefined}
            className={cn(
              'min-w-11 tabular-nums max-md:px-1 md:min-w-9',
              page === asked && 'bg-accent-soft text-accent',
            )}
            // The numbers move at the first click: the second of a double click is for another one.
            onClick={({ detail }) => (detail > 1 ? undefined : go(page))}
          >
            {formatNumber(page)}
          </Button>
        ))}
        <Button
          look="quiet"
          className={step}
          inactive={asked >= last}
          onClick={() => go(asked + 1)}
        >
          <span className="max-md:sr-only">Successiva</span>
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  )
}
