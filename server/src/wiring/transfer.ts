import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import { connectDatabase, type Database } from '../database/database.ts'
import { createOrderImagesStore } from '../features/orders/images/order-images.store.ts'
import {
  carriedSequences,
  findForTransfer,
  finishTransfer,
  prepareTransfer,
  recordTransfer,
} from '../features/pharmacies/deletion/pharmacy-transfer.store.ts'
import {
  allTables,
  type ExportedTable,
  tablesOfPharmacy,
} from '../features/pharmacies/deletion/tables.store.ts'
import { createOutboxStore } from '../features/whatsapp/messages/outbox.store.ts'
import { createSealing } from '../features/whatsapp/whatsapp.context.ts'
import { openFactor, sealFactor } from '../platform/auth/factors.store.ts'
import type { BackupStore } from '../platform/backups/backup-store.ts'
import { createSecrets, type Secrets } from '../platform/secrets.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { exportTo, type TransferOptions } from '../platform/transfer/export.ts'
import { importEverything } from '../platform/transfer/import-everything.ts'
import { importPharmacy } from '../platform/transfer/import-pharmacy.ts'
import { type CopiedRow, changeRows } from '../platform/transfer/own-rows.ts'
import type { ChangeRows } from '../platform/transfer/table-copy.ts'
import type {
  TransferManifest,
  TransferredPharmacy,
} from '../platform/transfer/transfer-manifest.ts'
import { importFiles, readFileList } from '../platform/transfer/transferred-files.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Log } from '../ports/log.ts'

/** A server that is exported, or into which is imported. */
export type TransferredServer = {
  /** The account that owns the database. */
  url: string
  appSecret: string
  dataDir: string
  stores: Record<'images' | 'files', FileStore>
}

/** Exports everything, or the pharmacy with this id or code. @throws StartupError, BackupError */
export async function exportServer(
  store: BackupStore,
  { url, appSecret, stores }: TransferredServer,
  pharmacyName: string | undefined,
  options: TransferOptions = {},
): Promise<TransferManifest> {
  if (pharmacyName === undefined) {
    const source = { url, stores, tables: allTables, pharmacy: null, secret: appSecret }
    return exportTo(store, source, options)
  }
  const { db, close } = connectDatabase(url, { max: 1 })
  try {
    const pharmacy = await findForTransfer(db, pharmacyName)
    // The secret of the server would open what it keeps for the others.
    const secret = randomBytes(48).toString('base64url')
    const [from, to] = [createSecrets(appSecret), createSecrets(secret)]
    const tables = tablesOfPharmacy(db, pharmacy.id).map((table: ExportedTable) => ({
      ...table,
      change: (columns: readonly string[]) => resealed(table.name, columns, from, to),
    }))
    return await exportTo(
      store,
      {
        url,
        stores,
        tables,
        pharmacy,
        secret,
        sequences: carriedSequences,
        beforeEnd: () => recordTransfer(db, 'pharmacy_moved_out', pharmacy, {}),
      },
      options,
    )
  } finally {
    await close()
  }
}

/** Imports what `manifest` describes. @throws StartupError, BackupError */
export async function importInto(
  store: BackupStore,
  manifest: TransferManifest,
  { url, appSecret, dataDir, stores }: TransferredServer,
  log: Log,
  options: TransferOptions = {},
): Promise<void> {
  const files = await readFileList(store, manifest)
  const target = { stores, temporaryFiles: createTemporaryFiles(join(dataDir, 'scratch')) }
  const around = (wanted: typeof files, work: () => Promise<void>) => {
    const onFile = (done: number) =>
      options.onProgress?.({ step: 'files', done, total: wanted.length })
    return importFiles(store, target, wanted, { signal: options.signal, onFile }, work)
  }
  const { pharmacy } = manifest
  if (pharmacy === null) {
    const withFiles = (work: () => Promise<void>) => around(files, work)
    return importEverything(store, { url, manifest, log, withFiles }, options)
  }
  const [from, to] = [createSecrets(manifest.secret), createSecrets(appSecret)]
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  await importPharmacy(
    store,
    {
      url,
      manifest: { ...manifest, pharmacy },
      tables: (db) => tablesOfPharmacy(db, pharmacy.id),
      sequences: carriedSequences,
      changeOf: (table, columns) => resealed(table, columns, from, to),
      prepare: (db, staged) => prepareTransfer(db, staged, pharmacy),
      withFiles: (isExpected, work) => around(files.filter(isExpected), work),
      finish: (db) => finish(db, pharmacy, { rows, files: files.length }),
    },
    options,
  )
}

/** What follows from the rows of a pharmacy that has come. Its jobs stay on the other server. */
async function finish(
  db: Database,
  pharmacy: TransferredPharmacy,
  details: { rows: number; files: number },
): Promise<void> {
  await createOutboxStore(db).endOpen(db, pharmacy.id)
  await createOrderImagesStore(db).enqueueWaiting(pharmacy.id)
  await finishTransfer(db, pharmacy, details)
}

/** Encrypts anew what rows keep secret. Undefined for a table that keeps nothing secret. */
function resealed(
  table: string,
  columns: readonly string[],
  from: Secrets,
  to: Secrets,
): ChangeRows | undefined {
  const change = changeOf(table, from, to)
  return change && ((rows) => changeRows(rows, columns, change))
}

function changeOf(
  table: string,
  from: Secrets,
  to: Secrets,
): ((row: CopiedRow) => void) | undefined {
  if (table === 'auth_factors') {
    return (row) => {
      const [user, factor, sealed] = [row.text('user_id'), row.text('id'), row.bytes('secret')]
      if (user === null || factor === null || sealed === null) return
      row.set('secret', sealFactor(to, user, factor, opened(from, user, factor, sealed)))
    }
  }
  if (table === 'whatsapp_connections') return sealedByKey(['token', 'pin'], from, to)
  if (table === 'whatsapp_inbound' || table === 'whatsapp_outbox') {
    return sealedByKey(['text'], from, to)
  }
  return undefined
}

/** @throws StartupError */
function opened(...[from, user, factor, sealed]: Parameters<typeof openFactor>): Buffer {
  try {
    return openFactor(from, user, factor, sealed)
  } catch (cause) {
    throw new StartupError(
      `The authenticator app of the account ${user} was encrypted with another APP_SECRET: remove it from the account first.`,
      { cause },
    )
  }
}

/** What was encrypted with another APP_SECRET stays as it is: it could not be read before either. */
function sealedByKey(fields: readonly ('token' | 'pin' | 'text')[], from: Secrets, to: Secrets) {
  const [opening, sealing] = [createSealing(from), createSealing(to)]
  return (row: CopiedRow) => {
    const [pharmacy, keyId] = [row.text('pharmacy_id'), row.text('key_id')]
    if (pharmacy === null || keyId !== opening.keyId) return
    for (const field of fields) {
      const plain = opening.open(pharmacy, field, row.bytes(field), keyId)
      if (plain !== undefined) row.set(field, sealing.seal(pharmacy, field, plain))
    }
    row.set('key_id', sealing.keyId)
  }
}
