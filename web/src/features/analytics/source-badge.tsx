import type { Analytics } from '@bancone/contract/analytics'
import { Database, Info } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { Popover } from '../../ui/popover.tsx'

export const sourceNames: Record<Analytics['source'], string> = {
  database: 'Supabase DB',
  airtable: 'Airtable',
}

function meaning({ source, syncedAt }: Analytics): string {
  if (source === 'database')
    return 'Gli ordini di queste statistiche vengono dal database di Bancone.'
  const read = syncedAt === null ? '' : ` L'ultima lettura è del ${formatDateTime(syncedAt)}.`
  return `Gli ordini di queste statistiche vengono da Airtable.${read}`
}

/** Where the orders come from. The button explains it. */
export function SourceBadge({ analytics }: { analytics: Analytics }) {
  return (
    <Popover
      title="Fonte degli ordini"
      buttonClassName="inline-flex h-8 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-2.5 text-xs font-medium transition-colors hover:bg-sunken pointer-coarse:h-11"
      panelClassName="w-72 p-3.5 max-sm:fixed max-sm:inset-x-4 max-sm:top-auto max-sm:w-auto sm:right-auto sm:left-0"
      label={
        <>
          <Database aria-hidden className="size-3.5 text-muted" />
          <span className="sr-only">Fonte degli ordini: </span>
          {sourceNames[analytics.source]}
          <Info aria-hidden className="size-3.5 text-muted" />
        </>
      }
    >
      {() => (
        <p className="text-pretty">
          {meaning(analytics)} Le visite le conta Bancone. La fonte la sceglie chi gestisce Bancone.
        </p>
      )}
    </Popover>
  )
}
