import type { HandlerResult } from '@bancone/contract/endpoint'
import type {
  MigrationItem,
  MigrationItemKind,
  MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import type {
  changeOrdersPhase,
  getMigrationOverview,
  MigrationDetail,
  OrdersPhase,
} from '@bancone/contract/orders-migration'
import { type PageQuery, pagination } from '@bancone/contract/paging'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import type { ServedFile } from '../../../http/serve.ts'
import { excelCsv, spreadsheetText } from '../../../platform/csv.ts'
import type { Clock } from '../../../ports/clock.ts'
import { kindNames } from './migration-findings.rules.ts'
import type { MigrationRecordsStore } from './migration-records.store.ts'
import { progressOf } from './migration-run-view.rules.ts'
import type { MigrationRunsStore, NewRun, RunRequest } from './migration-runs.store.ts'
import {
  detailOf,
  isActive,
  isAllowed,
  missingForDatabase,
  pharmacyOf,
} from './migration-state.rules.ts'
import type { MigrationStatesStore } from './migration-states.store.ts'

/** Moves a pharmacy to another phase; false when it is in another one than `from`. */
export type MovePhase = (
  tx: Database,
  pharmacyId: string,
  move: Pick<PhaseRequest, 'from' | 'to' | 'reason'>,
) => Promise<boolean>

type PhaseRequest = ReturnType<(typeof changeOrdersPhase)['body']['parse']>

type Dependencies = {
  db: Database
  runs: MigrationRunsStore
  records: MigrationRecordsStore
  states: MigrationStatesStore
  movePhase: MovePhase
  /** Whether a token for Airtable is configured. */
  isConfigured: boolean
  /** Called when a run waits to be worked on. */
  onWaiting(): void
  clock: Clock
}

export type OrdersMigration = ReturnType<typeof createOrdersMigration>

/** The migration of orders out of Airtable, as administrators see and steer it. */
export function createOrdersMigration(dependencies: Dependencies) {
  const { db, runs, records, states, movePhase, isConfigured, onWaiting, clock } = dependencies

  async function detail(pharmacyId: string, tx = db): Promise<MigrationDetail> {
    const row = await states.find(pharmacyId, tx)
    const run = await runs.latestOf(pharmacyId, tx)
    const pictures = await states.pictures(pharmacyId, tx)
    return detailOf(row, run, { pictures, isConfigured, now: clock.now() })
  }

  async function start(pharmacyId: string, run: NewRun, request: RunRequest) {
    if (!isConfigured) throw new AppError('migrations.not_configured')
    await states.find(pharmacyId)
    const started = await runs.start(pharmacyId, run, request)
    onWaiting()
    return started
  }

  async function changePhase(
    pharmacyId: string,
    { from, to, reason }: PhaseRequest,
    request: RunRequest,
  ): Promise<MigrationDetail> {
    await db.transaction().execute(async (tx) => {
      // No run starts while the conditions are checked.
      await lockPharmacy(tx, pharmacyId)
      const { phase, steps, run } = await detail(pharmacyId, tx)
      if (phase !== from) throw new AppError('migrations.phase_changed')
      if (isActive(run)) throw new AppError('migrations.other_running')
      const step = steps.find((one) => one.to === to)
      if (!step || !isAllowed(step, reason !== undefined)) {
        throw new AppError('migrations.phase_refused')
      }
      if (isWayBack(from, to)) return
      await movePhase(tx, pharmacyId, { from, to, reason })
      if (to === 'shadow') await states.beginShadow(tx, pharmacyId)
    })
    if (isWayBack(from, to)) await start(pharmacyId, { mode: 'back' }, request)
    return detail(pharmacyId)
  }

  return {
    detail,
    start,
    changePhase,

    /** The move to `database` for which nothing is typed. @throws AppError that names what is missing */
    async leaveAirtable(pharmacyId: string, request: RunRequest): Promise<MigrationDetail> {
      const { phase, steps } = await detail(pharmacyId)
      const missing = missingForDatabase(phase, steps)
      if (missing.length > 0) {
        const text = `Per leggere gli ordini dal database manca: ${missing.join('; ')}.`
        throw new AppError('migrations.phase_refused', { text })
      }
      return changePhase(pharmacyId, { from: phase, to: 'database' }, request)
    },

    async overview(): Promise<HandlerResult<typeof getMigrationOverview>> {
      const [rows, latest, batch] = await Promise.all([
        states.list(),
        runs.latest(),
        runs.lastBatch(),
      ])
      const all = rows.map((row) => pharmacyOf(row, latest.get(row.id) ?? null))
      const backup = all.filter((one) => one.use_supabase_orders)
      return {
        cards: {
          total: all.length,
          backupActive: backup.length,
          toSync: all.filter((one) => one.badge === 'Da Sincronizzare').length,
          migrating: all.filter((one) => one.badge === 'In Migrazione').length,
        },
        isConfigured,
        progress: progressOf(batch),
        backup,
        standard: all.filter((one) => !one.use_supabase_orders),
      }
    },

    async startAll(request: RunRequest) {
      if (!isConfigured) throw new AppError('migrations.not_configured')
      await runs.startAll(request)
      onWaiting()
      const progress = progressOf(await runs.lastBatch())
      if (!progress) throw new AppError('migrations.nothing_to_migrate')
      return progress
    },

    async cancel(runId: string): Promise<MigrationRunDetail> {
      await runs.find(runId)
      await runs.cancel({ runId })
      return runs.find(runId)
    },

    async list({ page, pageSize, pharmacyId }: PageQuery & { pharmacyId?: string | undefined }) {
      const from = { offset: (page - 1) * pageSize, limit: pageSize }
      const { runs: listed, total } = await runs.list(pharmacyId, from)
      return { runs: listed, pagination: pagination(page, pageSize, total) }
    },

    async items(
      runId: string,
      { page, pageSize, kind }: PageQuery & { kind?: MigrationItemKind | undefined },
    ) {
      const { pharmacy } = await runs.find(runId)
      const run = { id: runId, pharmacyId: pharmacy.id }
      const from = { offset: (page - 1) * pageSize, limit: pageSize }
      const { items: listed, total } = await records.items(run, kind, from)
      return { items: listed, pagination: pagination(page, pageSize, total) }
    },

    async itemsFile(runId: string, kind: MigrationItemKind | undefined): Promise<ServedFile> {
      const { pharmacy } = await runs.find(runId)
      return itemsFile(
        pharmacy.pharmacy_id,
        records.allItems({ id: runId, pharmacyId: pharmacy.id }, kind),
      )
    },

    async retry(runId: string, request: RunRequest): Promise<MigrationRunDetail> {
      const { pharmacy, endedAt } = await runs.find(runId)
      const run = { id: runId, pharmacyId: pharmacy.id }
      const left = await records.itemIds(run, ['refused', 'picture'])
      if (endedAt === null || left.length === 0) throw new AppError('migrations.nothing_to_retry')
      return start(pharmacy.id, { mode: 'full', retryOf: runId }, request)
    },
  }
}

/** A run makes this move in its end. */
const isWayBack = (from: OrdersPhase, to: OrdersPhase) => from === 'database' && to === 'airtable'

const HEADINGS = ['Record Airtable', 'ID Ordine', 'Esito', 'Colonna', 'Motivo', 'Cosa fare']

/** A CSV file of the records of a run that need attention. @param code of the pharmacy */
function itemsFile(code: string, portions: AsyncIterable<readonly MigrationItem[]>): ServedFile {
  async function* parts() {
    const { stringify } = await import('csv-stringify/sync')
    yield stringify([HEADINGS], { ...excelCsv, bom: true })
    for await (const items of portions) {
      yield stringify(
        items.map((item) =>
          [
            item.recordId,
            item.orderNumber ?? '',
            kindNames[item.kind],
            item.columns.join(', '),
            item.reason,
            item.resolvedAt === null ? item.advice : 'Risolto.',
          ].map(spreadsheetText),
        ),
        excelCsv,
      )
    }
  }
  return {
    name: `migrazione-${code.toLowerCase()}.csv`,
    type: 'text/csv; charset=utf-8',
    open: async () => ({ parts: parts(), signal: new AbortController().signal }),
  }
}
