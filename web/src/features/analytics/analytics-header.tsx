import { hasFeature } from '@bancone/contract/access'
import { type Analytics, type AnalyticsTable, downloadAnalytics } from '@bancone/contract/analytics'
import type { ExportFormat } from '@bancone/contract/order-exports'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import {
  ChevronDown,
  Download,
  FileSpreadsheet,
  FileText,
  Printer,
  RotateCw,
  Settings,
} from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ApiError } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { formatTime } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import type { AnalyticsPeriod, AnalyticsTab, PeriodQuery } from './analytics-address.ts'
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
        {analytics ? (
          <>
            <SourceBadge analytics={analytics} />
            <p className="text-sm text-muted tabular-nums">
              Aggiornato alle {formatTime(analytics.updatedAt)}
            </p>
          </>
        ) : isBusy ? (
          // As large as what comes, also where it breaks the line.
          <>
            <Skeleton shape="pill" className="h-8 w-28 pointer-coarse:h-11" />
            <Skeleton className="h-5 w-36" />
          </>
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

/** The tables that a tab shows. */
const tables: Record<AnalyticsTab, readonly AnalyticsTable[]> = {
  panoramica: ['panoramica'],
  traffico: ['ore', 'provenienza', 'offerte'],
  ordini: ['ordini', 'arrivi', 'attese', 'ritiro'],
}

const tableTexts: Record<AnalyticsTable, string> = {
  panoramica: 'Andamento',
  ore: 'Ore della settimana',
  provenienza: 'Provenienza',
  offerte: 'Offerte',
  ordini: 'Ordini per stato',
  arrivi: 'Arrivi',
  attese: 'Attese',
  ritiro: 'Ritiro',
}

const formats: Record<ExportFormat, { text: string; Icon: typeof FileText }> = {
  csv: { text: 'CSV', Icon: FileText },
  xlsx: { text: 'Excel', Icon: FileSpreadsheet },
}

async function save(period: PeriodQuery, tabella: AnalyticsTable, formato: ExportFormat) {
  const { signal } = new AbortController()
  const query = { ...period, tabella, formato }
  const file = await download(downloadAnalytics, { query }, { signal })
  saveFile(file, `analytics-${tabella}-${period.dal}-${period.al}.${formato}`)
}

type ExportMenuProps = { period: AnalyticsPeriod; pharmacy: OwnPharmacy }

/** Downloads the tables of the tab, or prints the report of the period. */
function ExportMenu({ period, pharmacy }: ExportMenuProps) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const shown = tables[period.address.scheda].filter(
    (table) => table !== 'arrivi' || hasFeature(pharmacy, 'priority_access'),
  )

  async function start(table: AnalyticsTable, format: ExportFormat) {
    setBusy(true)
    try {
      await save(period.query, table, format)
      toastSuccess('File scaricato', { about: 'analytics-export' })
    } catch (error) {
      const text =
        error instanceof ApiError
          ? errorMessage(error)
          : 'Il file non è arrivato intero: riprova tra poco.'
      toastError(text, { about: 'analytics-export' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Menu
      onHover={false}
      buttonClassName={buttonStyle({})}
      label={
        <>
          <Download aria-hidden />
          Esporta
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
    >
      {shown.flatMap((table) =>
        Object.entries(formats).map(([format, { text, Icon }]) => (
          <MenuItem
            key={`${table}-${format}`}
            disabled={isBusy}
            onSelect={() => void start(table, format === 'csv' ? 'csv' : 'xlsx')}
          >
            <Icon aria-hidden />
            {tableTexts[table]} ({text})
          </MenuItem>
        )),
      )}
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate(paths.analyticsReport + period.search)}>
        <Printer aria-hidden />
        Stampa report
      </MenuItem>
    </Menu>
  )
}
