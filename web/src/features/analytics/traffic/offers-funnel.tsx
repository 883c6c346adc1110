import type { Traffic } from '@bancone/contract/analytics-traffic'
import { FunnelChart } from '../../../ui/charts/funnel-chart.tsx'
import { funnelSentence } from '../texts/traffic-sentences.ts'

/** From the views of the page to the orders, of all offers together. */
export function OffersFunnel({ funnel }: { funnel: Traffic['funnel'] }) {
  const { views, opened, whatsappTaps, ordered } = funnel
  return (
    <FunnelChart
      title="Dalla pagina all'ordine"
      summary={funnelSentence(funnel)}
      steps={[
        { name: 'Visualizzazioni della pagina', count: views },
        { name: 'Offerte aperte', count: opened },
        { name: 'Tocchi su WhatsApp', count: whatsappTaps },
        ...(ordered === null ? [] : [{ name: 'Ordini con il codice', count: ordered }]),
      ]}
    />
  )
}
