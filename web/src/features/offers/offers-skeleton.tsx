import type { ComponentProps } from 'react'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { cell, OffersTable } from './offers-table.tsx'

const ROWS = 6

/** The placeholders in the cells of a row. */
const cells: readonly ComponentProps<typeof Skeleton>[][] = [
  [{ className: 'size-14' }],
  [{ className: 'h-3.5 w-4/5' }, { className: 'mt-2 h-3 w-2/5' }],
  [{ className: 'ml-auto h-3.5 w-14' }],
  [{ className: 'ml-auto h-3.5 w-14' }],
  [{ shape: 'pill', className: 'h-6 w-20' }],
  [{ className: 'h-3.5 w-24' }],
  [{ shape: 'pill', className: 'h-6 w-28' }],
  [{ shape: 'control', className: 'size-9' }],
]

function SkeletonRow() {
  return (
    <tr>
      {cells.map((skeletons, column) => (
        <td key={column} className={cell}>
          {skeletons.map((skeleton) => (
            <Skeleton key={skeleton.className} {...skeleton} />
          ))}
        </td>
      ))}
    </tr>
  )
}

function SkeletonCard() {
  return (
    <div className="flex flex-col rounded-card border border-line bg-surface p-3">
      <div className="flex gap-3">
        <Skeleton className="size-20 shrink-0" />
        <div className="flex flex-1 flex-col gap-2 pt-1">
          <Skeleton className="h-4 w-11/12" />
          <Skeleton className="h-3.5 w-1/2" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      </div>
      <Skeleton className="mt-3.5 h-3.5 w-3/5" />
      <div className="mt-2.5 flex h-13 items-center border-t border-line">
        <Skeleton shape="pill" className="h-6 w-28" />
      </div>
    </div>
  )
}

/** Placeholder for the overview and the limit, so that the list below does not move. */
export function OverviewSkeleton() {
  return (
    <div
      aria-hidden
      data-skeleton="overview"
      className="flex h-55 gap-3 rounded-card border border-line bg-surface p-3.5 sm:h-41 md:p-4 lg:h-22.5 lg:items-center"
    >
      <Skeleton shape="pill" className="size-9 shrink-0" />
      <Skeleton className="h-3.5 w-52 max-lg:mt-3" />
    </div>
  )
}

/** Placeholder for the list. */
export function OffersSkeleton({ wide }: { wide: boolean }) {
  const items = Array.from({ length: ROWS }, (_, index) =>
    wide ? <SkeletonRow key={index} /> : <SkeletonCard key={index} />,
  )
  return (
    <Loading text="Caricamento delle offerte in corso…">
      {wide ? (
        <OffersTable ordina="recenti" onSort={() => undefined}>
          {items}
        </OffersTable>
      ) : (
        <div className="grid grid-cols-1 gap-2.5 md:grid-cols-2">{items}</div>
      )}
    </Loading>
  )
}
