import { type Analytics, NOW_MINUTES } from '@bancone/contract/analytics'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { paths } from '@bancone/contract/pages'
import { CalendarX2, ChevronRight, CircleCheck, ImageOff } from 'lucide-react'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import type { AnalyticsPeriod } from '../analytics-address.ts'
import { ChartSkeleton } from '../analytics-skeleton.tsx'
import { FirstItems, Section, Unreadable } from '../section.tsx'
import { countText } from '../texts/overview-sentences.ts'
import { type OfPeriod, usePresentVisitors, useTraffic } from '../use-analytics.ts'
import { OrdersChart, ViewsChart } from './charts.tsx'
import { NotesSection } from './notes-section.tsx'

type OverviewTabProps = {
  shown: OfPeriod<Analytics>
  period: AnalyticsPeriod
  /** The pharmacy has a public page of offers. */
  hasOffers: boolean
}

/** What happened in the period, what happens now, and what needs the pharmacy. */
export function OverviewTab({ shown, period, hasOffers }: OverviewTabProps) {
  const { today } = period
  const notes = <NotesSection shown={shown} today={today} />
  if (!hasOffers) {
    return (
      <>
        <OrdersChart shown={shown} today={today} />
        {notes}
      </>
    )
  }
  return (
    <div className="grid items-start gap-4 md:gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4 md:gap-5">
        <ViewsChart shown={shown} today={today} hasNoteList={false} />
        {notes}
        <OrdersChart shown={shown} today={today} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 md:gap-5">
        <PresentVisitors />
        <Attention period={period} />
      </div>
    </div>
  )
}

function Attention({ period }: { period: AnalyticsPeriod }) {
  const { shown, error, isFetching, refetch } = useTraffic(period.query)
  if (shown !== null) return <AttentionList traffic={shown.data} />
  if (!error) return <ChartSkeleton />
  return (
    <RetryAlert busy={isFetching} onRetry={refetch}>
      Errore nel caricamento dati
    </RetryAlert>
  )
}

function Reason({ offer }: { offer: OfferFunnel }) {
  const seen = `vista ${formatNumber(offer.seen)} ${offer.seen === 1 ? 'volta' : 'volte'}`
  return offer.state === 'ended' ? (
    <>
      <CalendarX2 aria-hidden className="size-3.5 shrink-0" />
      Scaduta, {seen}: riproponila?
    </>
  ) : (
    <>
      <ImageOff aria-hidden className="size-3.5 shrink-0" />
      L'immagine non si vede più, {seen}
    </>
  )
}

/** The offers of the period that need something, the most seen first, with links to their forms. */
function AttentionList({ traffic }: { traffic: Pick<Traffic, 'attention'> }) {
  const { attention: offers } = traffic
  if (offers === null) return <Unreadable title="Da sistemare" />
  if (offers.length === 0) {
    return (
      <Section title="Da sistemare">
        <p className="flex items-center gap-2 text-sm text-muted">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-confirmed" />
          Niente: le offerte viste in questo periodo sono in ordine.
        </p>
      </Section>
    )
  }
  return (
    <Section title="Da sistemare">
      <FirstItems items={offers} name="offerte">
        {(shown) => (
          <ul className="-mx-2 -mb-2 flex flex-col">
            {shown.map((offer) => (
              <li key={offer.offerId}>
                <Link
                  to={`${paths.offers}?offerta=${offer.offerId}`}
                  className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 transition-colors hover:bg-sunken"
                >
                  <span className="min-w-0 flex-1">
                    <span className="line-clamp-2 text-sm font-medium wrap-anywhere">
                      {offer.name ?? 'Offerta eliminata'}
                    </span>
                    <span className="flex items-center gap-1.5 text-sm text-pending">
                      <Reason offer={offer} />
                    </span>
                  </span>
                  <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </FirstItems>
    </Section>
  )
}

/** How many are on the public page now. The numbers change silently: they would interrupt a screen reader. */
function PresentVisitors() {
  const { data, error } = usePresentVisitors()
  return (
    <Section title="In questo momento">
      {data ? (
        <p className="flex items-baseline gap-2.5">
          <span
            aria-hidden
            className={`size-2.5 self-center rounded-full ${data.visitors > 0 ? 'bg-accent' : 'bg-line-strong'}`}
          />
          <span className="text-3xl leading-tight font-medium tracking-tight tabular-nums">
            {formatNumber(data.visitors)}
          </span>
          <span className="text-sm text-muted">
            {data.visitors === 1 ? 'visitatore' : 'visitatori'},{' '}
            {countText(data.views, 'visualizzazione', 'visualizzazioni')} negli ultimi {NOW_MINUTES}{' '}
            minuti
          </span>
        </p>
      ) : (
        <p className="text-sm text-muted">
          {error ? 'Non si può sapere adesso: si riprova da solo.' : 'Caricamento in corso…'}
        </p>
      )}
    </Section>
  )
}
