import type { ReactNode } from 'react'
import { problemText } from '../../lib/use-action.ts'
import { cn } from '../../ui/class-names.ts'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { ErrorCard } from './access/error-card.tsx'
import { ChartSkeleton } from './analytics-skeleton.tsx'
import type { OfPeriod, useOfPeriod } from './use-of-period.ts'

/** What the error catalogue says of every failure of the figures. */
export const NOT_LOADED = 'Errore nel caricamento dati'

type ShownFiguresProps<T> = {
  figures: ReturnType<typeof useOfPeriod<T>>
  skeleton?: ReactNode
  children: (shown: OfPeriod<T>) => ReactNode
}

/**
 * The states of figures: loading, failed, shown. Those of another period stay, dimmed, until those of the chosen period
 * are there.
 */
export function ShownFigures<T>({
  figures,
  skeleton = <ChartSkeleton />,
  children,
}: ShownFiguresProps<T>) {
  const { shown, error, isFetching, isOther, refetch } = figures
  if (shown === null) {
    if (!error) return skeleton
    return (
      <ErrorCard
        heading="h2"
        title={NOT_LOADED}
        text={problemText(error)}
        busy={isFetching}
        onRetry={refetch}
      />
    )
  }
  return (
    <>
      {error ? (
        <RetryAlert busy={isFetching} onRetry={refetch}>
          <p className="font-medium">{NOT_LOADED}</p>
          <p>{problemText(error)}</p>
        </RetryAlert>
      ) : null}
      <div
        aria-busy={isOther}
        className={cn(
          'flex flex-col gap-4 transition-opacity duration-150 md:gap-5',
          isOther && 'opacity-55',
        )}
      >
        {children(shown)}
      </div>
    </>
  )
}
