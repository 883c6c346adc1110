import { rate } from '@bancone/contract/analytics-figures'
import { deviceNames, exclusionNames, sourceNames } from '@bancone/contract/analytics-tables'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { countingPath, paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { ExternalLink, Lightbulb } from 'lucide-react'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { HeatMap } from '../../../ui/charts/heat-map.tsx'
import type { AnalyticsPeriod } from '../analytics-address.ts'
import { NoPageViews } from '../no-page-views.tsx'
import { Section, Unreadable } from '../section.tsx'
import { ShownFigures } from '../shown-figures.tsx'
import { countText } from '../texts/overview-sentences.ts'
import { percentText } from '../texts/percent-texts.ts'
import {
  exclusionTexts,
  hoursSentence,
  ofDevice,
  ofSource,
  sharesSentence,
} from '../texts/traffic-sentences.ts'
import { useTraffic } from '../use-analytics.ts'
import { OfferFunnels, OffersFunnel } from './offer-funnels.tsx'

type TrafficTabProps = { period: AnalyticsPeriod; pharmacy: OwnPharmacy }

/** When page views come, from where, with what, and what they lead to. */
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
        const excludedViews = <ExcludedViews excluded={excluded} code={pharmacy.pharmacyCode} />
        if (funnel.views === 0) {
          return (
            <>
              <NoPageViews pharmacy={pharmacy} title="Nessuna visita in questo periodo" />
              {excludedViews}
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
              {excludedViews}
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

type ExcludedViewsProps = {
  excluded: Traffic['excluded']
  /** The pharmacy's readable code. */
  code: string
}

/** The page views that were left out, and why. */
function ExcludedViews({ excluded, code }: ExcludedViewsProps) {
  if (excluded === null) return <Unreadable title="Visite escluse" />
  const sum = excluded.reduce((total, { amount }) => total + amount, 0)
  const counted = excluded.filter(({ amount }) => amount > 0)
  return (
    <Section
      title="Visite escluse"
      summary={
        sum === 0
          ? 'In questo periodo nessuna visita è stata esclusa.'
          : `${countText(sum, 'visita non è stata contata', 'visite non sono state contate')}.`
      }
      action={
        <a
          href={countingPath(code)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium text-accent underline-offset-4 hover:underline md:min-h-6"
        >
          Che cosa contiamo
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="sr-only"> (si apre in una nuova scheda)</span>
        </a>
      }
    >
      {counted.length === 0 ? null : (
        <dl className="flex flex-col">
          {counted
            .toSorted((a, b) => b.amount - a.amount)
            .map(({ reason, amount }) => (
              <div
                key={reason}
                className="flex items-baseline justify-between gap-4 border-t border-line py-2 text-sm"
              >
                <dt>
                  {exclusionNames[reason]}
                  <span className="block text-muted">{exclusionTexts[reason]}</span>
                </dt>
                <dd className="font-medium tabular-nums">{formatNumber(amount)}</dd>
              </div>
            ))}
        </dl>
      )}
    </Section>
  )
}

/** `of`: in a sentence, '… arriva dal volantino'. */
type SharePart = { name: string; of: string; views: number }

type ShareListProps = {
  title: string
  /** Head of the first column. */
  head: string
  /** Null where they cannot be read. */
  parts: readonly SharePart[] | null
}

/** Parts of all views, the largest first, as a table whose bars only repeat the numbers. */
function ShareList({ title, head, parts }: ShareListProps) {
  if (parts === null) return <Unreadable title={title} />
  const sum = parts.reduce((total, { views }) => total + views, 0)
  const shown = parts.filter(({ views }) => views > 0).toSorted((a, b) => b.views - a.views)
  const most = shown[0]?.views ?? 1
  return (
    <Section title={title} summary={sharesSentence(parts)}>
      {shown.length === 0 ? null : (
        <table className="w-full text-left text-sm">
          <caption className="sr-only">{title}</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="pb-1 font-medium">
                {head}
              </th>
              <th scope="col" className="w-24 pb-1 text-right font-medium">
                Visualizzazioni
              </th>
              <th scope="col" className="w-16 pb-1 text-right font-medium">
                Quota
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, views }) => (
              <tr key={name} className="border-t border-line">
                <th scope="row" className="relative py-2.5 pr-3 font-normal">
                  {name}
                  <span
                    aria-hidden
                    className="absolute bottom-1 left-0 h-1 rounded-full bg-(--c-chart-1) [print-color-adjust:exact]"
                    style={{ width: `${(views / most) * 100}%` }}
                  />
                </th>
                <td className="py-2.5 text-right font-medium tabular-nums">
                  {formatNumber(views)}
                </td>
                <td className="py-2.5 text-right text-muted tabular-nums">
                  {percentText(Math.round(rate(views, sum)))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
