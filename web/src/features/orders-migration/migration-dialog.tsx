import { removeBackupOrders } from '@bancone/contract/backup-orders'
import { cancelMigration, type MigrationRun } from '@bancone/contract/migration-runs'
import type { OrderStatus } from '@bancone/contract/orders'
import {
  BACKUP_KEPT_DAYS,
  cancelAllMigrations,
  type MigrationPharmacy,
  restoreBackupOrders,
  startAllMigrations,
  startMigration,
} from '@bancone/contract/orders-migration'
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { call } from '../../lib/api.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CodeDialog } from '../../ui/code-dialog.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { migrationProblem, modeNames, orderCount, pharmacyCount } from './migration-texts.ts'
import { invalidateMigrations } from './use-migrations.ts'

export type StatusMapping = Readonly<Record<string, OrderStatus>>

/** What an administrator is asked to confirm. */
export type MigrationQuestion =
  | { kind: 'migrate'; pharmacy: MigrationPharmacy; statusMapping?: StatusMapping }
  | { kind: 'migrate-all'; pharmacies: number }
  | { kind: 'cancel'; run: MigrationRun }
  | { kind: 'cancel-all' }
  | { kind: 'remove'; pharmacy: MigrationPharmacy }

type MigrationDialogProps = ModalProps & {
  question: MigrationQuestion
  /** A run has started. */
  onStarted?: () => void
}

export function MigrationDialog(props: MigrationDialogProps) {
  const { question, onStarted, ...dialog } = props
  const client = useQueryClient()

  async function act(change: () => Promise<unknown>) {
    try {
      await change()
    } finally {
      // Another administrator may have done it.
      await invalidateMigrations(client)
    }
  }

  if (question.kind === 'remove') {
    return <RemoveDialog {...dialog} pharmacy={question.pharmacy} act={act} />
  }
  const { start, ...texts } = confirmationOf(question)
  return (
    <ConfirmDialog
      {...dialog}
      {...texts}
      onConfirm={async () => {
        await act(start)
        if (question.kind === 'migrate') onStarted?.()
      }}
    />
  )
}

const starting = { look: 'primary', confirming: 'Avvio…' } as const
const cancelling = { confirm: 'Interrompi', confirming: 'Interruzione…' }

type Confirmation = Omit<ComponentProps<typeof ConfirmDialog>, 'onConfirm' | keyof ModalProps> & {
  start: () => Promise<unknown>
}

function confirmationOf(question: Exclude<MigrationQuestion, { kind: 'remove' }>): Confirmation {
  switch (question.kind) {
    case 'migrate': {
      const { pharmacy, statusMapping = {} } = question
      return {
        ...starting,
        title: `Migrare gli ordini di «${pharmacy.name}»?`,
        text: 'Gli ordini di Airtable vengono copiati nel database. Quelli che ci sono già diventano come in Airtable, tranne quelli con una modifica che deve ancora arrivarci.',
        confirm: 'Migra',
        explain: (error) =>
          `Errore nella migrazione di ${pharmacy.name}. ${migrationProblem(error)}`,
        children: <MappingNote mapping={statusMapping} />,
        start: () =>
          call(startMigration, {
            params: { pharmacyId: pharmacy.id },
            body: { mode: 'full', statusMapping: { ...statusMapping } },
          }),
      }
    }
    case 'migrate-all':
      return {
        ...starting,
        title: 'Migrare tutte le farmacie con il backup attivo?',
        text: `Riguarda ${pharmacyCount(question.pharmacies)}. Gli ordini di Airtable vengono copiati nel database, di una base alla volta. Puoi chiudere la pagina: la migrazione continua da sola.`,
        confirm: 'Migra Tutte',
        explain: migrationProblem,
        start: () => call(startAllMigrations, {}),
      }
    case 'cancel':
      return {
        ...cancelling,
        title: `Interrompere: ${modeNames[question.run.mode].toLowerCase()} di «${question.run.pharmacy.name}»?`,
        text: 'Si ferma dopo il blocco in corso. Gli ordini già scritti restano.',
        start: () => call(cancelMigration, { params: { runId: question.run.id } }),
      }
    case 'cancel-all':
      return {
        ...cancelling,
        title: 'Interrompere la migrazione di tutte le farmacie?',
        text: 'Quelle in corso si fermano dopo il blocco in corso, quelle in coda non cominciano. Gli ordini già scritti restano.',
        start: () => call(cancelAllMigrations, {}),
      }
  }
}

function MappingNote({ mapping }: { mapping: StatusMapping }) {
  const entries = Object.entries(mapping)
  if (entries.length === 0) {
    return <p className="text-sm text-muted">In Airtable non cambia nulla.</p>
  }
  return (
    <div className="text-sm">
      <p>Questi stati cambiano, qui e in Airtable:</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {entries.map(([from, to]) => (
          <li key={from}>
            «{from}» diventa «{to}»
          </li>
        ))}
      </ul>
    </div>
  )
}

type RemoveDialogProps = Omit<MigrationDialogProps, 'question' | 'onStarted'> & {
  pharmacy: MigrationPharmacy
  act: (change: () => Promise<unknown>) => Promise<void>
}

/** Deletes the backup; says why where pages are answered from it. */
function RemoveDialog({ pharmacy, act, ...dialog }: RemoveDialogProps) {
  const { id, name, pharmacy_id: code, supabaseCount } = pharmacy
  if (pharmacy.use_supabase_orders) {
    return (
      <Dialog
        {...dialog}
        title="Il backup è in uso"
        text={`Gli ordini di «${name}» arrivano dal database: il backup non si può eliminare.${pharmacy.hasAirtable ? ' Prima riporta la farmacia ad Airtable.' : ''}`}
        footer={<Button onClick={dialog.onClose}>Chiudi</Button>}
      />
    )
  }

  async function restore() {
    try {
      await act(() => call(restoreBackupOrders, { params: { pharmacyId: id } }))
      toastSuccess('Ordini di backup ripristinati', { about: `backup-${id}`, description: name })
    } catch (error) {
      toastError('Errore nel ripristino dei dati', {
        about: `backup-${id}`,
        description: migrationProblem(error),
      })
    }
  }

  return (
    <CodeDialog
      {...dialog}
      title={`Eliminare gli ordini di backup di «${name}»?`}
      text={`Vengono eliminati ${orderCount(supabaseCount)} dal backup. Gli ordini in Airtable restano. Per ${BACKUP_KEPT_DAYS} giorni si può ripristinare; dopo, questa azione non può essere annullata.`}
      code={code}
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={(error) => `Errore nella pulizia dei dati. ${migrationProblem(error)}`}
      onConfirm={async () => {
        await act(() => call(removeBackupOrders, { body: { pharmacyId: id, code } }))
        toastSuccess('Ordini di backup eliminati', {
          about: `backup-${id}`,
          description: name,
          action: { label: 'Ripristina', run: () => void restore() },
          long: true,
        })
      }}
    />
  )
}
