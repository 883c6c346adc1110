import { hasFeature } from '@bancone/contract/access'
import type { Analytics } from '@bancone/contract/analytics'
import { getAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { type Day, formatShortDay } from '@bancone/contract/dates'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { CalendarOff } from 'lucide-react'
import { useId } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type AnalyticsPeriod, useAnalyticsPeriod } from './analytics-address.ts'
import { AnalyticsHeader } from './analytics-header.tsx'
import { AnalyticsNotices } from './analytics-notices.tsx'
import { FiguresSkeleton } from './analytics-skeleton.tsx'
import { NoPageViews } from './no-page-views.tsx'
import { OrdersTab } from './orders/orders-tab.tsx'
import { OverviewTab } from './overview/overview-tab.tsx'
import { comparedOf, PeriodBar } from './period/period-bar.tsx'
import { ShownFigures } from './shown-figures.tsx'
import { sourceNames } from './source-badge.tsx'
import { SummaryCards } from './summary/summary-cards.tsx'
import { capital, rangeText } from './texts/day-texts.ts'
import { TrafficTab } from './traffic/traffic-tab.tsx'
import { type OfPeriod, useAnalytics, useRefresh } from './use-analytics.ts'

const tabs = [
  { id: 'panoramica', text: 'Panoramica' },
  { id: 'traffico', text: 'Traffico' },
  { id: 'ordini', text: 'Ordini' },
] as const

/** The figures of a period, for pharmacies with the feature. */
export function AnalyticsPage({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const period = useAnalyticsPeriod()
  const figures = useAnalytics(period.query)
  const { shown, isOther, isFetching } = figures
  const refresh = useRefresh(period.query)
  const { data: settings } = useEndpoint(getAnalyticsSettings, {})
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <AnalyticsHeader
        analytics={shown && shown.data}
        period={period}
        pharmacy={pharmacy}
        isBusy={isFetching}
        onRefresh={() => void refresh()}
      />
      <PeriodBar period={period} compared={comparedOf(figures)} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {isOther && isFetching && shown
          ? `Caricamento in corso… I dati qui sotto sono ancora di prima: ${rangeText(shown.period, period.today)}.`
          : null}
      </p>
      <ShownFigures figures={figures} skeleton={<FiguresSkeleton />}>
        {(of) => (
          <>
            <AnalyticsNotices analytics={of.data} isCounting={settings?.isCounting ?? true} />
            <Figures shown={of} period={period} pharmacy={pharmacy} />
            <AnalyticsFooter shown={of} today={period.today} />
          </>
        )}
      </ShownFigures>
    </div>
  )
}

type FiguresProps = {
  shown: OfPeriod<Analytics>
  period: AnalyticsPeriod
  pharmacy: OwnPharmacy
}

function Figures({ shown, period, pharmacy }: FiguresProps) {
  const { firstDay } = shown.data
  if (firstDay === null) return <NoPageViews pharmacy={pharmacy} title="Ancora nessuna visita" />
  if (shown.period.al < firstDay) {
    return (
      <EmptyList
        icon={<CalendarOff />}
        title="Prima non ci sono dati"
        action={
          <Button
            onClick={() => period.change({ periodo: 'ultimi-30-giorni', dal: null, al: null })}
          >
            Mostra gli ultimi 30 giorni
          </Button>
        }
      >
        {capital(rangeText(shown.period, period.today))} non si contava ancora: i primi dati sono
        del {formatShortDay(firstDay)}.
      </EmptyList>
    )
  }
  return (
    <>
      <SummaryCards {...shown} />
      <FigureTabs shown={shown} period={period} pharmacy={pharmacy} />
    </>
  )
}

function FigureTabs({ shown, period, pharmacy }: FiguresProps) {
  const panelId = useId()
  const { scheda } = period.address
  const hasOffers = hasFeature(pharmacy, 'offers')
  return (
    <>
      <Tabs
        label="Statistiche"
        tabs={tabs}
        selected={scheda}
        panelId={panelId}
        onSelect={(tab) => period.change({ scheda: tab }, { replace: true })}
      />
      <div
        id={panelId}
        role="tabpanel"
        aria-label={tabs.find(({ id }) => id === scheda)?.text}
        className="flex flex-col gap-4 md:gap-5"
      >
        {scheda === 'panoramica' ? (
          <OverviewTab shown={shown} period={period} hasOffers={hasOffers} />
        ) : scheda === 'traffico' ? (
          <TrafficTab period={period} pharmacy={pharmacy} />
        ) : (
          <OrdersTab shown={shown} period={period} pharmacy={pharmacy} />
        )}
      </div>
    </>
  )
}

/** Which figures these are, in one line. */
function AnalyticsFooter({ shown, today }: { shown: OfPeriod<Analytics>; today: Day }) {
  const { data, period } = shown
  return (
    <p className="border-t border-line pt-3 text-sm text-pretty text-muted">
      Dati {rangeText(period, today).replace(/^oggi$/, 'di oggi')} · Ordini da{' '}
      {sourceNames[data.source]} · Ultimo aggiornamento {formatDateTime(data.updatedAt)} · Si
      aggiorna da solo ogni 5 minuti
    </p>
  )
}
