import type { Analytics } from '@bancone/contract/analytics'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { RotateCw, Settings } from 'lucide-react'
import { Link } from 'react-router'
import { formatTime } from '../../lib/format.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { ExportMenu } from './export-menu.tsx'
import type { AnalyticsPeriod } from './period/analytics-address.ts'
import { SourceBadge } from './source-badge.tsx'

type HeaderProps = {
  analytics: Analytics | null
  period: AnalyticsPeriod
  pharmacy: OwnPharmacy
  isBusy: boolean
  onRefresh: () => void
}

/** Title, source of the orders, age of the figures, and what can be done with them. */
export function AnalyticsHeader({ analytics, period, pharmacy, isBusy, onRefresh }: HeaderProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <PageTitle>Analytics</PageTitle>
        {analytics ? <SourceBadge analytics={analytics} /> : null}
        {analytics ? (
          <p className="text-sm text-muted tabular-nums">
            Aggiornato alle {formatTime(analytics.updatedAt)}
          </p>
        ) : null}
      </div>
      <div className="flex gap-2 max-sm:w-full">
        <Button className="max-sm:flex-1" inactive={isBusy} onClick={onRefresh}>
          <RotateCw
            aria-hidden
            className={cn(isBusy && 'animate-spin motion-reduce:animate-none')}
          />
          Aggiorna
        </Button>
        <ExportMenu period={period} pharmacy={pharmacy} />
        <Link
          to={paths.analyticsSettings}
          aria-label="Impostazioni di Analytics"
          title="Impostazioni"
          className={buttonStyle({ size: 'square' })}
        >
          <Settings aria-hidden />
        </Link>
      </div>
    </div>
  )
}
