import { cn } from './class-names.ts'

const rounding = { text: 'rounded-md', control: 'rounded-control', pill: 'rounded-2xl' }

type SkeletonProps = { shape?: keyof typeof rounding; className: string }

/** A grey placeholder while content is loading. */
export function Skeleton({ shape = 'text', className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      className={cn(
        'block animate-pulse bg-line motion-reduce:animate-none',
        rounding[shape],
        className,
      )}
    />
  )
}
