import {
  getMigrationDetail,
  type MigrationDetail,
  restoreBackupOrders,
} from '@bancone/contract/orders-migration'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CardSection } from '../../../ui/card-section.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import type { MigrationQuestion } from '../migration-dialog.tsx'
import { lastMigrationText } from '../migration-item.tsx'
import { airtableText, isActive, orderCount } from '../migration-texts.ts'
import { useMigrationAction } from '../use-migrations.ts'

type BackupSectionProps = {
  detail: MigrationDetail
  onAsk: (question: MigrationQuestion, opener: HTMLElement) => void
}

/** How many orders both sides have, and the deletion of the backup. */
export function BackupSection({ detail, onAsk }: BackupSectionProps) {
  const client = useQueryClient()
  const restoring = useMigrationAction()
  const { id, deletedBackup } = detail
  const { waiting, refused } = detail.pictures
  const facts = [
    ['Airtable', airtableText(detail)],
    ['Supabase', formatNumber(detail.supabaseCount)],
    ['Ultima migrazione', lastMigrationText(detail)],
    ...(waiting > 0 ? [['Immagini da copiare', formatNumber(waiting)] as const] : []),
    ...(refused > 0 ? [['Immagini non copiate', formatNumber(refused)] as const] : []),
  ] as const

  const restore = () =>
    restoring.start(async () => {
      const params = { pharmacyId: id }
      const changed = await call(restoreBackupOrders, { params })
      client.setQueryData(endpointKey(getMigrationDetail, { params }), changed)
      toastSuccess('Ordini di backup ripristinati', { about: `backup-${id}` })
    })

  return (
    <CardSection title="Ordini">
      <dl className="flex flex-wrap gap-x-8 gap-y-2.5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {detail.airtableCountAt === null ? null : (
        <p className="text-sm text-muted tabular-nums">
          Record di Airtable contati il {formatDateTime(detail.airtableCountAt)}.
        </p>
      )}
      {deletedBackup ? (
        <p className="max-w-prose text-sm text-pretty tabular-nums">
          Il {formatDateTime(deletedBackup.deletedAt)} il backup è stato eliminato (
          {orderCount(deletedBackup.orders)}). Si può ripristinare fino al{' '}
          {formatDateTime(deletedBackup.until)}.
        </p>
      ) : null}
      <FailureAlert failure={restoring.failure} />
      <div className="flex flex-wrap gap-2.5">
        {deletedBackup ? (
          <Button inactive={restoring.busy} onClick={restore}>
            <RotateCcw aria-hidden />
            {restoring.busy ? 'Ripristino in corso…' : 'Ripristina il backup'}
          </Button>
        ) : (
          <Button
            aria-haspopup="dialog"
            inactive={isActive(detail.run) || !detail.hasAirtable || detail.supabaseCount === 0}
            onClick={({ currentTarget }) =>
              onAsk({ kind: 'remove', pharmacy: detail }, currentTarget)
            }
          >
            <Trash2 aria-hidden />
            Elimina il backup
          </Button>
        )}
      </div>
    </CardSection>
  )
}
