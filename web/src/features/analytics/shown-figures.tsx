import type { AnalyticsPeriod } from '@bancone/contract/analytics'
import { dayOf } from '@bancone/contract/dates'
import type { ReactNode } from 'react'
import { problemText } from '../../lib/use-action.ts'
import { useNow } from '../../lib/use-now.ts'
import { cn } from '../../ui/class-names.ts'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { ErrorCard } from './access/error-card.tsx'
import { ChartSkeleton } from './analytics-skeleton.tsx'
import { rangeText } from './texts/day-texts.ts'
import type { FiguresOf, OfPeriod } from './use-analytics.ts'

/** What the error catalogue says of every failure of the figures. */
export const NOT_LOADED = 'Errore nel caricamento dati'

type ShownFiguresProps<T extends { period: AnalyticsPeriod }> = {
  figures: FiguresOf<T>
  skeleton?: ReactNode
  children: (shown: OfPeriod<T>) => ReactNode
}

/**
 * The states of figures: loading, failed, shown. Those of another period stay, dimmed, while those of the chosen period
 * are loading.
 */
export function ShownFigures<T extends { period: AnalyticsPeriod }>({
  figures,
  skeleton = <ChartSkeleton />,
  children,
}: ShownFiguresProps<T>) {
  const { shown, error, isFetching, isOther, refetch } = figures
  const today = dayOf(useNow())
  // Where the chosen period failed, an alert says so, and the figures before stay legible.
  const isWaiting = isOther && isFetching
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
          <p>
            {problemText(error)}
            {isOther
              ? ` I dati qui sotto sono ancora di prima: ${rangeText(shown.period, today)}.`
              : null}
          </p>
        </RetryAlert>
      ) : null}
      <div
        aria-busy={isWaiting}
        className={cn(
          'flex flex-col gap-4 transition-opacity duration-150 md:gap-5',
          // Within figures that are dimmed already it is not dimmed twice.
          isWaiting && 'opacity-55 [[aria-busy=true]_&]:opacity-100',
        )}
      >
        {children(shown)}
      </div>
    </>
  )
}
