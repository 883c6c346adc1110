import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database/database.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { enqueueErasure, wireBackups } from './features/backups/backups.wiring.ts'
import { wirePharmacyLife } from './features/pharmacies/life/pharmacy-life.wiring.ts'
import type { AuthService } from './platform/auth/auth.service.ts'
import type { Clock } from './ports/clock.ts'
import type { Mailer } from './ports/mailer.ts'
import { type BackupSettings, createBackupPlace } from './wiring-backups.ts'
import type { wireFiles } from './wiring-files.ts'

type Dependencies = {
  db: Database
  clock: Clock
  log: FastifyBaseLogger
  settings: { backups?: BackupSettings | undefined; appSecret: string; publicUrl: string }
  auth: Pick<AuthService, 'reauthentication'>
  mailer: Mailer
  files: ReturnType<typeof wireFiles>
  orders: { removePictures: Remove }
  images: { images: { removeAllOf: Remove } }
}

type Remove = (pharmacyId: string, signal?: AbortSignal) => Promise<number>

/** Wires the deletion of pharmacies, and the back-ups, which must not bring them back. */
export function wireLife({ files, orders, images, settings, ...dependencies }: Dependencies) {
  const { db, clock } = dependencies
  const { backups: place, appSecret, publicUrl } = settings
  const life = wirePharmacyLife({
    ...dependencies,
    ...files,
    removeOrderPictures: orders.removePictures,
    removeImages: images.images.removeAllOf,
    noteErasure: async (tx, pharmacyId) => {
      if (place) await enqueueErasure(tx, pharmacyId, clock.now())
    },
  })
  const backups = wireBackups({
    ...dependencies,
    publicUrl,
    place: place && createBackupPlace(place, files.stores, appSecret),
    administrators: createAdministratorsStore(db).emails,
    purge: life.purgeAgain,
  })
  return { life, backups }
}
