import {
  getMigrationRun,
  listMigrationItems,
  listMigrationRuns,
  type MigrationItem,
  type MigrationProgress,
  type MigrationRun,
  type MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import {
  cancelAllMigrations,
  changeOrdersPhase,
  getMigrationDetail,
  getMigrationOverview,
  type MigrationDetail,
  type MigrationPharmacy,
  startAllMigrations,
  startMigration,
} from '@bancone/contract/orders-migration'
import { adminServer } from './administration.ts'
import { failure } from './stub-api.ts'

function uuid(n: number): string {
  return `3f0c6a0e-7a54-4b0a-9c39-${String(n).padStart(12, '0')}`
}

const noCounts = {
  read: 0,
  new: 0,
  changed: 0,
  same: 0,
  conflicts: 0,
  refused: 0,
  toFix: 0,
  onlyHere: 0,
  images: 0,
}

/** The n-th pharmacy, as it is listed before its first migration. */
export function migrationPharmacy(
  n: number,
  traits: Partial<MigrationPharmacy> = {},
): MigrationPharmacy {
  return {
    id: uuid(n),
    pharmacy_id: `PHARM-${String(n).padStart(4, '0')}`,
    name: `Farmacia ${n}`,
    use_supabase_orders: false,
    phase: 'airtable',
    phaseSince: '2026-01-02T08:00:00Z',
    hasAirtable: true,
    airtableCount: 2_000,
    airtableCountAt: '2026-03-02T08:00:00Z',
    supabaseCount: 0,
    lastMigration: null,
    hasDifferences: true,
    differenceReason: 'never_verified',
    verifiedAt: null,
    badge: 'Da Sincronizzare',
    run: null,
    ...traits,
  }
}

/** A run of the n-th pharmacy that has begun. */
export function migrationRun(
  n: number,
  traits: Partial<MigrationRunDetail> = {},
): MigrationRunDetail {
  const { id, pharmacy_id, name } = migrationPharmacy(n)
  return {
    id: uuid(500 + n),
    batchId: null,
    retryOf: null,
    pharmacy: { id, pharmacy_id, name },
    mode: 'full',
    state: 'running',
    step: 'reading',
    counts: { ...noCounts, read: 1_240, new: 1_240 },
    total: 2_000,
    percent: 62,
    perSecond: 380,
    secondsLeft: 130,
    items: [],
    dryRun: null,
    verification: null,
    failure: null,
    failureText: null,
    startedBy: 'capo@example.it',
    createdAt: '2026-03-02T08:00:00Z',
    startedAt: '2026-03-02T08:00:00Z',
    heartbeatAt: '2026-03-02T08:00:05Z',
    endedAt: null,
    ...traits,
  }
}

/** What makes a run one that has ended. */
export const ended = {
  state: 'completed',
  step: null,
  percent: 100,
  perSecond: null,
  secondsLeft: null,
  endedAt: '2026-03-02T08:01:00Z',
} as const

export function counts(traits: Partial<MigrationRun['counts']>): MigrationRun['counts'] {
  return { ...noCounts, ...traits }
}

/** The page of one pharmacy. */
export function migrationDetail(
  n: number,
  { run = null, ...traits }: Partial<MigrationDetail> = {},
): MigrationDetail {
  return {
    ...migrationPharmacy(n),
    run,
    isConfigured: true,
    pictures: { waiting: 0, refused: 0 },
    steps: [],
    shadow: null,
    mirrorUntil: null,
    waiting: 0,
    deletedBackup: null,
    ...traits,
  }
}

type Contents = {
  pharmacies?: MigrationPharmacy[]
  progress?: MigrationProgress | null
  details?: MigrationDetail[]
  /** Those of the history; without them the last ones of the pharmacies. */
  runs?: MigrationRunDetail[]
  items?: MigrationItem[]
}

/** A stub of the migration with these contents, read anew for each request. */
export function migrationServer(contents: Contents) {
  const { pharmacies = [], details = [], items = [] } = contents
  const detailOf = (id: string) => details.find((one) => one.id === id)
  const page = (totalRecords: number) => ({
    currentPage: 1,
    totalPages: Math.min(1, totalRecords),
    totalRecords,
    hasNextPage: false,
  })
  const runs = () => contents.runs ?? details.flatMap(({ run }) => (run ? [run] : []))
  return adminServer({})
    .on(getMigrationOverview, () => {
      const backup = pharmacies.filter((one) => one.use_supabase_orders)
      return {
        cards: {
          total: pharmacies.length,
          backupActive: backup.length,
          toSync: pharmacies.filter(({ badge }) => badge === 'Da Sincronizzare').length,
          migrating: pharmacies.filter(({ badge }) => badge === 'In Migrazione').length,
        },
        isConfigured: true,
        progress: contents.progress ?? null,
        backup,
        standard: pharmacies.filter((one) => !one.use_supabase_orders),
      }
    })
    .on(
      getMigrationDetail,
      ({ params }) => detailOf(params.pharmacyId) ?? failure('pharmacies.not_found'),
    )
    .on(
      getMigrationRun,
      ({ params }) =>
        runs().find(({ id }) => id === params.runId) ?? failure('migrations.not_found'),
    )
    .on(listMigrationRuns, () => ({ runs: runs(), pagination: page(runs().length) }))
    .on(listMigrationItems, ({ query: { kind } }) => {
      const found = items.filter((item) => kind === undefined || item.kind === kind)
      return { items: found, pagination: page(found.length) }
    })
    .on(startMigration, ({ params, body }) => {
      const place = pharmacies.findIndex(({ id }) => id === params.pharmacyId)
      const run = migrationRun(place + 1, { mode: body.mode })
      const found = pharmacies[place]
      if (found) pharmacies[place] = { ...found, badge: 'In Migrazione', run }
      return run
    })
    .on(startAllMigrations, () => contents.progress ?? failure('migrations.nothing_to_migrate'))
    .on(cancelAllMigrations, () => ({}))
    .on(changeOrdersPhase, ({ params, body: { to } }) => {
      const place = details.findIndex(({ id }) => id === params.pharmacyId)
      const found = details[place]
      if (!found) return failure('pharmacies.not_found')
      details[place] = { ...found, phase: to, steps: [] }
      return details[place]
    })
}
