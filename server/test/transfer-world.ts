import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from '../src/database/client.ts'
import { newKeyText, readKeys } from '../src/platform/backups/backup-key.ts'
import { type BackupStore, createBackupStore } from '../src/platform/backups/backup-store.ts'
import type { TransferManifest } from '../src/platform/transfer/transfer-manifest.ts'
import { openBackupPlace } from '../src/wiring/backups.ts'
import { createFileStores } from '../src/wiring/file-stores.ts'
import { exportServer, importInto, type TransferredServer } from '../src/wiring/transfer.ts'
import { type DeletionServer, deletionServer } from './deletion-server.ts'
import { testSecret } from './server.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

const keys = readKeys(newKeyText())

/** A place for an export: its folder and the store in it. */
export type Place = { folder: string; store: BackupStore }

/** A server with two filled pharmacies, and places for exports of it. */
export async function transferWorld() {
  const server: DeletionServer = await deletionServer()
  const root = await testFileFolder()
  const source = transferred(server.database.url, server.folder, testSecret)
  let made = 0
  return {
    server,
    source,
    pharmacies: [await server.filled(), await server.filled()] as const,
    newFolder: () => join(root, `folder-${(made += 1)}`),
    /** The store in a new folder, for an export. */
    async newPlace(): Promise<Place> {
      const folder = join(root, `export-${(made += 1)}`)
      await mkdir(folder)
      return { folder, store: createBackupStore(await openBackupPlace({ folder }), keys) }
    },
    export: (place: Place, pharmacy?: string, from: TransferredServer = source) =>
      exportServer(place.store, from, pharmacy),
    import: (place: Place, manifest: TransferManifest, into: TransferredServer) =>
      importInto(place.store, manifest, into, silentLog),
  }
}

export type TransferWorld = Awaited<ReturnType<typeof transferWorld>>

export function transferred(url: string, dataDir: string, appSecret: string): TransferredServer {
  const { images, files } = createFileStores(dataDir, undefined)
  return { url, dataDir, appSecret, stores: { images: images.store, files: files.store } }
}

export async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

/** The rows of a query. */
export function ask<Row extends pg.QueryResultRow>(
  url: string,
  query: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(query, values)).rows)
}
