import type { Day } from '@bancone/contract/dates'
import type { OpeningWeek } from '@bancone/contract/opening-hours'
import { closingOn, openingState, spansOf } from '@bancone/contract/opening-state'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import { ChevronDown, Clock } from 'lucide-react'
import { openingText, spansText } from '../../lib/opening-text.ts'
import { useNow } from '../../lib/use-now.ts'
import { PHARMACY_ID } from './pharmacy-details.tsx'
import { useHydrated } from './use-hydrated.ts'

type OpeningLineProps = {
  week: OpeningWeek
  closings: PublicProfile['closings']
  /** The day that the page was rendered for. */
  day: Day
}

/** Whether the pharmacy is open now. It leads to its hours. */
export function OpeningLine(props: OpeningLineProps) {
  const text = useLineText(props)
  return (
    <a
      href={`#${PHARMACY_ID}`}
      className="block border-t border-line text-sm hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="mx-auto flex min-h-12 max-w-5xl items-center gap-2 px-3 py-1.5 md:px-6">
        <Clock aria-hidden className="size-4.5 shrink-0 text-accent" />
        <span className="min-w-0 leading-tight font-medium">{text}</span>
        <span className="ml-auto inline-flex shrink-0 items-center gap-1 text-muted">
          Orari
          <ChevronDown aria-hidden className="size-4" />
        </span>
      </span>
    </a>
  )
}

/** The page is cached and may be read later, so the server names the hours of the day alone. */
function useLineText({ week, closings, day }: OpeningLineProps): string {
  const now = useNow()
  if (useHydrated()) return openingText(openingState(week, closings, now), now)
  const spans = closingOn(closings, day) ? [] : spansOf(week, day)
  return `Oggi: ${spansText(spans)}`
}
