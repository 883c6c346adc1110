import { Skeleton } from '../../ui/skeleton.tsx'

const FIELDS = 6

/**
 * Placeholder for the form while its offer or code is loading: about as high, so that the list below does not move.
 */
export function FormSkeleton() {
  return (
    <div
      role="status"
      className="flex flex-col gap-5 rounded-card border border-line bg-surface p-4 md:p-5 lg:h-200"
    >
      <span className="sr-only">Caricamento del modulo in corso…</span>
      <Skeleton className="h-5 w-36" />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="flex flex-col gap-5">
          {Array.from({ length: FIELDS }, (_, index) => (
            <div key={index} className="flex flex-col gap-2">
              <Skeleton className="h-3.5 w-28" />
              <Skeleton shape="control" className="h-12 w-full" />
            </div>
          ))}
        </div>
        <Skeleton shape="control" className="aspect-square w-full max-lg:hidden" />
      </div>
    </div>
  )
}
