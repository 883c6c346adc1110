import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

/** Placeholder for notes, other orders and history. */
export function DetailsSkeleton() {
  return (
    <Loading className="mt-4 flex flex-col gap-4 border-t border-line pt-4">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton shape="control" className="h-20" />
      <Skeleton className="h-4 w-1/3" />
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <span key={width} className="flex items-center gap-3">
          <Skeleton shape="pill" className="size-6 shrink-0" />
          <Skeleton className={`h-4 ${width}`} />
        </span>
      ))}
    </Loading>
  )
}
