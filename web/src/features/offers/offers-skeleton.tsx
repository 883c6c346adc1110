import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { cell, OffersTable } from './offers-table.tsx'

const ROWS = 6

function SkeletonRow() {
  return (
    <tr>
      <td className={cell}>
        <Skeleton className="size-14" />
      </td>
      <td className={cell}>
        <Skeleton className="h-3.5 w-4/5" />
        <Skeleton className="mt-2 h-3 w-2/5" />
      </td>
      <td className={cell}>
        <Skeleton className="ml-auto h-3.5 w-14" />
      </td>
      <td className={cell}>
        <Skeleton className="ml-auto h-3.5 w-14" />
      </td>
      <td className={cell}>
        <Skeleton shape="pill" className="h-6 w-20" />
      </td>
      <td className={cell}>
        <Skeleton className="h-3.5 w-24" />
      </td>
      <td className={cell}>
        <Skeleton shape="pill" className="h-6 w-28" />
      </td>
      <td className={cell}>
        <Skeleton shape="control" className="size-9" />
      </td>
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
      className="flex h-55 gap-3 rounded-card border border-line bg-surface p-3.5 sm:h-41 md:p-4 lg:h-17.5 lg:items-center"
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
