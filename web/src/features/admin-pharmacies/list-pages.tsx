import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'

type ListPagesProps = {
  page: number
  pages: number
  /** The number of pharmacies on all pages. */
  total: number
  onPage: (page: number) => void
}

/** How many pharmacies there are, and the buttons to the page before and after. */
export function ListPages({ page, pages, total, onPage }: ListPagesProps) {
  function go(next: number) {
    onPage(next)
    window.scrollTo({ top: 0 })
  }
  return (
    <nav
      aria-label="Pagine delle farmacie"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 print:hidden"
    >
      <p className="text-[13px] text-muted tabular-nums">
        {total === 1 ? '1 farmacia' : `${formatNumber(total)} farmacie`}
        {pages > 1 ? ` • Pagina ${formatNumber(page)} di ${formatNumber(pages)}` : null}
      </p>
      {pages > 1 ? (
        <div className="flex items-center gap-1">
          <Button look="quiet" inactive={page <= 1} onClick={() => go(page - 1)}>
            <ChevronLeft aria-hidden />
            Precedente
          </Button>
          <Button look="quiet" inactive={page >= pages} onClick={() => go(page + 1)}>
            Successiva
            <ChevronRight aria-hidden />
          </Button>
        </div>
      ) : null}
    </nav>
  )
}
