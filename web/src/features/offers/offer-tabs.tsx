import { formatNumber } from '../../lib/format.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { OfferTab } from './offers-address.ts'

const labels: Record<OfferTab, string> = {
  tutte: 'Tutte',
  attive: 'Attive',
  inattive: 'Inattive',
  archivio: 'Archivio',
}

type OfferTabsProps = {
  tab: OfferTab
  counts: Record<OfferTab, number> | null
  /** Id of the list that the tabs filter. */
  panelId: string
  onTab: (tab: OfferTab) => void
}

/** Tabs that filter the list. */
export function OfferTabs({ tab, counts, panelId, onTab }: OfferTabsProps) {
  const tabs = OfferTab.options.map((id) => ({
    id,
    text: counts ? `${labels[id]} (${formatNumber(counts[id])})` : labels[id],
  }))
  return (
    <Tabs label="Quali offerte" tabs={tabs} selected={tab} panelId={panelId} onSelect={onTab} />
  )
}
