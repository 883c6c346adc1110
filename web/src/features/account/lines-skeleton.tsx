import { Loading, Skeleton } from '../../ui/skeleton.tsx'

/** Placeholder for lines of text that are loading. */
export function LinesSkeleton({ what, lines }: { what: string; lines: readonly string[] }) {
  return (
    <Loading text={`Caricamento ${what} in corso…`} className="flex flex-col gap-3">
      {lines.map((width) => (
        <Skeleton key={width} className={`h-4.5 ${width}`} />
      ))}
    </Loading>
  )
}
