import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, startTransition, useOptimistic } from 'react'
import { formatNumber } from '../lib/format.ts'
import { Button } from './button.tsx'

type ListPagesProps = {
  label: string
  /** How many items there are on all pages, for example '12 farmacie'. */
  text: string
  page: number
  pages: number
  onPage: (page: number) => void
}

/** How many items a list has, and the buttons to the page before and after. */
export function ListPages({ label, text, pages, ...props }: ListPagesProps) {
  // At once, also where the items take long to draw.
  const [page, press] = useOptimistic(props.page)
  const turn = (to: number) =>
    startTransition(() => {
      press(to)
      props.onPage(to)
    })
  return (
    <nav
      aria-label={label}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 print:hidden"
    >
      <p role="status" className="text-[13px] text-muted tabular-nums">
        {text}
        {pages > 1 ? ` • Pagina ${formatNumber(page)} di ${formatNumber(pages)}` : null}
      </p>
      {pages > 1 ? (
        <div className="flex items-center gap-1">
          <Button look="quiet" inactive={page <= 1} onClick={() => turn(page - 1)}>
            <ChevronLeft aria-hidden />
            Precedente
          </Button>
          <Button look="quiet" inactive={page >= pages} onClick={() => turn(page + 1)}>
            Successiva
            <ChevronRight aria-hidden />
          </Button>
        </div>
      ) : null}
    </nav>
  )
}

/** Items on a page. */
const PAGE_SIZE = 50

type PagedItemsProps<Item> = Omit<ListPagesProps, 'pages'> & {
  items: readonly Item[]
  /** The items of a page. */
  children: (items: readonly Item[]) => ReactNode
}

/** Items that are all loaded, page by page. A page that does not exist any more is the last one. */
export function PagedItems<Item>({ items, children, ...props }: PagedItemsProps<Item>) {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE))
  const page = Math.min(props.page, pages)
  return (
    <>
      {children(items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE))}
      <ListPages {...props} page={page} pages={pages} />
    </>
  )
}
