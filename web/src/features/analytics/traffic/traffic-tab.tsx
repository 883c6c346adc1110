import { deviceNames, sourceNames } from '@bancone/contract/analytics-tables'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Lightbulb } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../../ui/button.tsx'
import { HeatMap } from '../../../ui/charts/heat-map.tsx'
import { NoVisits } from '../no-visits.tsx'
import type { AnalyticsPeriod } from '../period/analytics-address.ts'
import { ShownFigures } from '../shown-figures.tsx'
import { hoursSentence, ofDevice, ofSource } from '../texts/traffic-sentences.ts'
import { useTraffic } from '../use-analytics.ts'
import { ExcludedVisits } from './excluded-visits.tsx'
import { OfferFunnels } from './offer-funnels.tsx'
import { OffersFunnel } from './offers-funnel.tsx'
import { ShareList } from './share-list.tsx'

type TrafficTabProps = { period: AnalyticsPeriod; pharmacy: OwnPharmacy }

/** When visits come, from where, with what, and what they lead to. */
export function TrafficTab({ period, pharmacy }: TrafficTabProps) {
  const figures = useTraffic(period.query)
  return (
    <ShownFigures figures={figures}>
      {({ data }) => {
        const { weekHours, funnel, offers, excluded } = data
        const sources = data.sources?.map(({ source, views }) => ({
          name: sourceNames[source],
          of: ofSource[source],
          views,
        }))
        const devices = data.devices?.map(({ device, views }) => ({
          name: deviceNames[device],
          of: ofDevice[device],
          views,
        }))
        const excludedVisits = <ExcludedVisits excluded={excluded} code={pharmacy.pharmacyId} />
        if (funnel.views === 0) {
          return (
            <>
              <NoVisits pharmacy={pharmacy} title="Nessuna visita in questo periodo" />
              {excludedVisits}
            </>
          )
        }
        return (
          <>
            <HeatMap
              title="Ore della settimana"
              summary={hoursSentence(weekHours)}
              valueName="Visualizzazioni"
              values={weekHours}
            />
            <div className="grid items-start gap-4 md:gap-5 lg:grid-cols-2">
              <ShareList title="Provenienza" head="Da dove" parts={sources ?? null} />
              <ShareList title="Dispositivi" head="Con che cosa" parts={devices ?? null} />
            </div>
            <div className="grid items-start gap-4 md:gap-5 lg:grid-cols-2">
              <div className="flex min-w-0 flex-col gap-2">
                <OffersFunnel funnel={funnel} />
                {funnel.ordered === null ? <CodesHint /> : null}
              </div>
              {excludedVisits}
            </div>
            <OfferFunnels offers={offers} />
          </>
        )
      }}
    </ShownFigures>
  )
}

/** The funnel ends before the orders while their messages carry no codes. */
function CodesHint() {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-sunken px-4 py-3 text-sm">
      <Lightbulb aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 basis-60 text-pretty">
        Vuoi sapere quali offerte diventano ordini? Attiva i codici d'ordine nei messaggi WhatsApp.
      </p>
      <Link to={paths.analyticsSettings} className={buttonStyle({ size: 'small' })}>
        Attiva i codici
      </Link>
    </div>
  )
}
