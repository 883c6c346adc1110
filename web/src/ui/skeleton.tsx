import type { ReactNode } from 'react'
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

type LoadingProps = {
  /** Read out while the content is loading. */
  text?: string
  className?: string
  /** The placeholder. */
  children: ReactNode
}

/** A placeholder for content that is loading. */
export function Loading({ text = 'Caricamento in corso…', className, children }: LoadingProps) {
  return (
    <div role="status" data-loading className={className}>
      <span className="sr-only">{text}</span>
      {children}
    </div>
  )
}

type LinesSkeletonProps = Pick<SkeletonProps, 'shape'> & {
  /** What is loading, as in 'delle chiavi'. */
  what?: string
  /** Classes of each line: its width, or whatever differs. */
  lines: readonly string[]
  /** Classes of all lines. */
  line?: string
  /** Classes of the gap between them, or of the whole. */
  className?: string
}

/** A placeholder for lines of text or other parts below one another. */
export function LinesSkeleton(props: LinesSkeletonProps) {
  const { what, lines, line = 'h-4.5', className = 'gap-3', ...shape } = props
  return (
    <Loading
      {...(what !== undefined && { text: `Caricamento ${what} in corso…` })}
      className={cn('flex flex-col', className)}
    >
      {lines.map((own, index) => (
        <Skeleton key={index} {...shape} className={cn(line, own)} />
      ))}
    </Loading>
  )
}
