import { cn } from './class-names.ts'

/** A grey bar in the place of a text that is on its way. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cn('block animate-pulse rounded-md bg-line motion-reduce:animate-none', className)}
    />
  )
}
