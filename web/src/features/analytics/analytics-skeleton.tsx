import { Loading, Skeleton } from '../../ui/skeleton.tsx'

/** The figures of a period while they are loading: the cards, the tabs and a chart. */
export function FiguresSkeleton() {
  return (
    <Loading
      text="Caricamento delle statistiche in corso…"
      className="flex flex-col gap-4 md:gap-5"
    >
      <div className="grid grid-cols-2 gap-2.5 sm:gap-3 xl:grid-cols-4">
        {['w-28', 'w-36', 'w-20', 'w-24'].map((width) => (
          <div key={width} className="rounded-card border border-line bg-surface p-4 md:p-5">
            <Skeleton className={`h-4 max-w-full ${width}`} />
            <Skeleton className="mt-3 h-8 w-24" />
            <Skeleton className="mt-3 h-3.5 w-40 max-w-full" />
          </div>
        ))}
      </div>
      <Skeleton className="h-9 w-72 max-w-full" />
      <ChartSkeleton />
    </Loading>
  )
}

export function ChartSkeleton() {
  return (
    <div className="rounded-card border border-line bg-surface p-4 md:p-5">
      <Skeleton className="h-4.5 w-40" />
      <Skeleton className="mt-2 h-3.5 w-3/5" />
      <Skeleton shape="control" className="mt-4 h-60 w-full" />
    </div>
  )
}

/** The whole page, while it is not yet known whether the pharmacy has analytics. */
export function AnalyticsSkeleton() {
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div aria-hidden className="flex flex-wrap items-center justify-between gap-3">
        <Skeleton className="h-8 w-40" />
        <Skeleton shape="control" className="h-9 w-56" />
      </div>
      <FiguresSkeleton />
    </div>
  )
}
