import { hasFeature } from '@bancone/contract/access'
import type { Analytics } from '@bancone/contract/analytics'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { formatShortDay } from '@bancone/contract/dates'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { ChevronLeft, Printer } from 'lucide-react'
import { Link } from 'react-router'
import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { type AnalyticsPeriod, useAnalyticsPeriod } from '../analytics-address.ts'
import { AnalyticsNotices } from '../analytics-notices.tsx'
import { FiguresSkeleton } from '../analytics-skeleton.tsx'
import { OrdersChart, ViewsChart } from '../overview/charts.tsx'
import { comparedOf, PeriodBar } from '../period/period-bar.tsx'
import { Section } from '../section.tsx'
import { ShownFigures } from '../shown-figures.tsx'
import { sourceNames } from '../source-badge.tsx'
import { SummaryCards } from '../summary/summary-cards.tsx'
import { rangeText } from '../texts/day-texts.ts'
import { OfferFunnels, OffersFunnel } from '../traffic/offer-funnels.tsx'
import { type OfPeriod, useAnalytics, useTraffic } from '../use-analytics.ts'

/** Prints the sheet alone, without the page around it. */
const page = `@media print {
  @page { size: A4 portrait; margin: 14mm }
  body :not(:has([data-report]), [data-report], [data-report] *) { display: none !important }
  body :has([data-report]) { display: block !important; margin: 0 !important; padding: 0 !important }
}`

/** 'Confronto: dal 18/10/2026 al 24/10/2026 fino alle 10:32'. */
function comparedText({ dal, al, until }: Analytics['compared']): string {
  const end = until === null ? '' : ` fino alle ${formatTime(until)}`
  return `Confronto: dal ${formatShortDay(dal)} al ${formatShortDay(al)}${end}`
}

/** The offers of a sheet. The page has more. */
const MAX_OFFERS = 10

/** The figures of a period as a sheet of paper, for a partner. */
export function ReportPage({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const period = useAnalyticsPeriod()
  const figures = useAnalytics(period.query)
  const traffic = useTraffic(period.query)
  const isReady =
    figures.shown !== null && traffic.shown !== null && !figures.isOther && !traffic.isOther
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-end justify-between gap-3 print:hidden">
        <div>
          <Link
            to={paths.analytics + period.search}
            className="-mx-1 inline-flex min-h-11 items-center gap-1 rounded px-1 text-sm text-muted underline-offset-4 hover:text-ink hover:underline md:min-h-8"
          >
            <ChevronLeft aria-hidden className="size-4" />
            Analytics
          </Link>
          <PageTitle>Report da stampare</PageTitle>
        </div>
        <Button
          look="primary"
          className="max-sm:w-full"
          inactive={!isReady}
          onClick={() => window.print()}
        >
          <Printer aria-hidden />
          Stampa
        </Button>
      </div>
      <div className="print:hidden">
        <PeriodBar period={period} compared={comparedOf(figures)} />
      </div>
      <ShownFigures figures={figures} skeleton={<FiguresSkeleton />}>
        {(shown) => (
          <ShownFigures figures={traffic} skeleton={<FiguresSkeleton />}>
            {({ data }) => (
              <Sheet shown={shown} traffic={data} period={period} pharmacy={pharmacy} />
            )}
          </ShownFigures>
        )}
      </ShownFigures>
    </div>
  )
}

type SheetProps = {
  shown: OfPeriod<Analytics>
  traffic: Traffic
  period: AnalyticsPeriod
  pharmacy: OwnPharmacy
}

function Sheet({ shown, traffic, period: { today }, pharmacy }: SheetProps) {
  const { data, period } = shown
  const hasOffers = hasFeature(pharmacy, 'offers')
  return (
    <article
      data-paper
      data-report
      aria-label="Anteprima del report"
      className="mx-auto flex w-full max-w-[210mm] flex-col gap-4 rounded-card border border-line bg-surface p-4 text-ink sm:p-8 print:max-w-none print:gap-3 print:border-0 print:p-0"
    >
      <style>{page}</style>
      <header className="border-b border-line pb-3">
        <p className="text-xl leading-tight font-medium tracking-tight wrap-anywhere">
          {pharmacy.name}
        </p>
        <p>
          Report dal {formatShortDay(period.dal)} al {formatShortDay(period.al)}
          <span className="text-muted"> ({rangeText(period, today)})</span>
        </p>
        <p className="text-sm text-muted">
          {data.previous === null ? 'Nessun confronto' : comparedText(data.compared)} · Ordini da{' '}
          {sourceNames[data.source]} · Dati del {formatDateTime(data.updatedAt)}
        </p>
      </header>
      <AnalyticsNotices analytics={data} isCounting />
      <SummaryCards {...shown} />
      {hasOffers ? <ViewsChart shown={shown} today={today} hasNoteList /> : null}
      <OrdersChart shown={shown} today={today} />
      {hasOffers ? (
        <>
          <OffersFunnel funnel={traffic.funnel} />
          <OfferFunnels
            offers={traffic.offers && traffic.offers.slice(0, MAX_OFFERS)}
            hasLinks={false}
          />
        </>
      ) : null}
      <Definitions />
    </article>
  )
}

const definitions = [
  [
    'Visualizzazioni',
    'Quante volte è stata aperta la pagina pubblica delle offerte. Programmi, anteprime, personale e chi chiede di non essere contato sono esclusi.',
  ],
  [
    'Visitatori unici (giorno migliore)',
    'I visitatori diversi del giorno che ne ha avuti di più. Chi torna in un altro giorno non si può riconoscere: per questo i giorni non si sommano.',
  ],
  ['Media al giorno', 'La media dei visitatori di ogni giorno.'],
  ['Visita', 'Le visualizzazioni di un visitatore senza pause di più di 30 minuti.'],
  [
    'Ordini completati',
    'Gli ordini confermati e quelli prenotati, in giornata o per il giorno dopo. La percentuale è su tutti gli ordini.',
  ],
  ['Conversione', 'Gli ordini ogni 100 visualizzazioni, qualunque sia la strada da cui arrivano.'],
  [
    'Viste, aperte, WhatsApp, ordini',
    "Quante volte un'offerta è comparsa, è stata aperta, ha portato a un messaggio WhatsApp e, con i codici d'ordine, a un ordine. Sono eventi, non persone.",
  ],
  [
    'Confronto',
    'Periodi di ugual numero di giorni. Se il periodo finisce oggi, si confrontano le stesse ore. Se prima il valore era zero, la variazione è indicata come 100%.',
  ],
] as const

/** What each number of the report means. */
function Definitions() {
  return (
    <Section title="Che cosa significano i numeri">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2 print:grid-cols-2">
        {definitions.map(([term, text]) => (
          <div key={term} className="break-inside-avoid">
            <dt className="font-medium">{term}</dt>
            <dd className="text-pretty text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
