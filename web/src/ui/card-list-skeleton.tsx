import { Loading, Skeleton } from './skeleton.tsx'

/** The skeleton of a list of cards. */
export function CardListSkeleton({ text }: { text: string }) {
  return (
    <Loading text={text} className="flex flex-col gap-2.5">
      {['w-44', 'w-36', 'w-52'].map((width) => (
        <div key={width} className="rounded-card border border-line bg-surface p-4">
          <Skeleton className={`h-4.5 max-w-full ${width}`} />
          <Skeleton className="mt-2.5 h-3.5 w-3/5" />
        </div>
      ))}
    </Loading>
  )
}
