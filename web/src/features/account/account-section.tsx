import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useId } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Failure, problemText } from './use-action.ts'

type AccountSectionProps = {
  title: string
  intro?: ReactNode
  /** Stands beside the title: how it is just now. */
  state?: ReactNode
  /** For the focus, which comes to the title when what had it has gone. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** One matter of the account, in a card of its own. */
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

type ReadPartProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** What is said where it could not be read and nothing is known of why. */
  otherwise: string
  /** In its place while it is on its way. */
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** What has to be read first. What was read before stays, when it cannot be read again. */
export function ReadPart<T>({ query, otherwise, skeleton, children }: ReadPartProps<T>) {
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

/** What could not be done, where it was asked for. */
export function Problem({ of: failure }: { of: Failure | null }) {
  if (failure === null) return null
  return (
    <Alert key={failure.count} tone="error">
      {failure.text}
    </Alert>
  )
}

/** Lines of text that are on their way. */
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
