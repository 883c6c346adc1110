import type { Pagination } from '@bancone/contract/paging'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { pageWindow } from '../../lib/page-window.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

type PaginationBarProps = {
  pagination: Pagination
  /** Orders on this page. */
  rows: number
  onPage: (page: number) => void
}

export function PaginationBar({ pagination, rows, onPage }: PaginationBarProps) {
  const { currentPage, totalPages } = pagination
  if (totalPages <= 1) return null

  function go(page: number) {
    if (page < 1 || page > totalPages || page === currentPage) return
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
        Pagina {formatNumber(currentPage)} di {formatNumber(totalPages)} • {formatNumber(rows)}{' '}
        ordini in questa pagina
      </p>
      <div className="flex items-center gap-0.5 md:gap-1">
        <Button
          look="quiet"
          className={step}
          disabled={currentPage <= 1}
          onClick={() => go(currentPage - 1)}
        >
          <ChevronLeft aria-hidden />
          <span className="max-md:sr-only">Precedente</span>
        </Button>
        {pageWindow(currentPage, totalPages).map((page) => (
          <Button
            key={page}
            look="quiet"
            aria-current={page === currentPage ? 'page' : undefined}
            className={cn(
              'min-w-11 tabular-nums max-md:px-1 md:min-w-9',
              page === currentPage && 'bg-accent-soft text-accent',
            )}
            onClick={() => go(page)}
          >
            {formatNumber(page)}
          </Button>
        ))}
        <Button
          look="quiet"
          className={step}
          disabled={currentPage >= totalPages}
          onClick={() => go(currentPage + 1)}
        >
          <span className="max-md:sr-only">Successiva</span>
          <ChevronRight aria-hidden />
        </Button>
      </div>
    </nav>
  )
}
