import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useId } from 'react'
import { problemText } from '../../lib/use-action.ts'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type AccountSectionProps = {
  title: string
  intro?: ReactNode
  /** Current state, shown beside the title. */
  state?: ReactNode
  /** Gets the focus when the focused element disappears. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A section of the account page, as a card. */
export function AccountSection({ title, intro, state, heading, children }: AccountSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2
          id={id}
          ref={heading}
          tabIndex={-1}
          className="text-lg leading-snug font-medium tracking-tight outline-none"
        >
          {title}
        </h2>
        {state}
      </div>
      {intro ? <p className="mt-1 text-sm text-pretty text-muted">{intro}</p> : null}
      <div className="mt-4 flex flex-col gap-4">{children}</div>
    </section>
  )
}

type QueryPartProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** Error text for an unknown error. */
  otherwise: string
  /** Shown while the query is loading. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** Renders the data of a query. After a failed refetch the earlier data stays on the screen. */
export function QueryPart<T>({ query, otherwise, skeleton, children }: QueryPartProps<T>) {
  const { data, error, isFetching, refetch } = query
  return (
    <>
      {error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {problemText(error, otherwise)}
        </RetryAlert>
      ) : null}
      {data === undefined ? (error ? null : skeleton) : children(data)}
    </>
  )
}

/** Placeholder for lines of text that are loading. */
export function LinesSkeleton({ what, lines }: { what: string; lines: readonly string[] }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Caricamento {what} in corso…</span>
      {lines.map((width) => (
        <Skeleton key={width} className={`h-4.5 ${width}`} />
      ))}
    </div>
  )
}
