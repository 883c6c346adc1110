import { cn } from '../../ui/class-names.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { useOrdersSearch } from './orders-search.ts'
import { cell, OrdersTable } from './orders-table.tsx'

const texts = ['w-10', 'w-4/5', 'w-11/12', 'w-11/12', 'w-full', 'w-16']

function SkeletonRow() {
  return (
    <tr>
      {texts.map((width, column) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns, which never move
          key={column}
          className={cell}
        >
          <Skeleton className={cn('h-3.5', width)} />
        </td>
      ))}
      <td className={cell}>
        <Skeleton shape="pill" className="h-8 w-full pointer-coarse:h-11.5" />
      </td>
      <td className={cell}>
        <Skeleton shape="control" className="h-8 w-16 pointer-coarse:h-11" />
      </td>
    </tr>
  )
}

/** As high as a card, line by line: number, customer, two lines of product, address, date, controls. */
function SkeletonCard() {
  return (
    <div className="rounded-card border border-line bg-surface p-3.5">
      <Line className="text-sm" bar="w-16" />
      <Line className="mt-0.5 text-base leading-snug" bar="w-3/5" />
      <Line className="mt-1.5" bar="w-11/12" />
      <Line bar="w-2/3" />
      <Line className="mt-1.5 text-sm" bar="w-4/5" />
      <div className="flex min-h-11 items-center">
        <Skeleton className="h-3.5 w-2/5" />
      </div>
      <div className="mt-1 grid grid-cols-[1fr_auto] gap-2">
        <Skeleton shape="pill" className="h-12" />
        <Skeleton shape="control" className="h-12 w-20" />
      </div>
    </div>
  )
}

/** A bar with the height of a line of text. */
function Line({ className, bar }: { className?: string; bar: string }) {
  return (
    <div className={cn('flex h-lh items-center', className)}>
      <Skeleton className={cn('h-3.5', bar)} />
    </div>
  )
}

/** Placeholder of the list, with the rows of a full page. */
export function OrdersSkeleton({ wide }: { wide: boolean }) {
  const [{ pageSize }] = useOrdersSearch()
  const items = Array.from({ length: pageSize }, (_, index) =>
    wide ? <SkeletonRow key={index} /> : <SkeletonCard key={index} />,
  )
  return (
    <Loading text="Caricamento degli ordini in corso…">
      {wide ? (
        <OrdersTable selection={null}>{items}</OrdersTable>
      ) : (
        <div className="grid grid-cols-1 gap-2.5 md:grid-cols-2">{items}</div>
      )}
    </Loading>
  )
}
