import { createAdministratorsStore } from '../features/administrators/administrators.store.ts'
import {
  enqueueCustomerErasure,
  enqueueErasure,
  wireBackups,
} from '../features/backups/backups.wiring.ts'
import { closeColleagues, createColleaguesStore } from '../features/colleagues/colleagues.store.ts'
import type { CustomerDataNeeds } from '../features/customer-data/customer-data.service.ts'
import { wireCustomerData } from '../features/customer-data/customer-data.wiring.ts'
import { wirePharmacyDeletion } from '../features/pharmacies/deletion/pharmacy-deletion.wiring.ts'
import type { AuthService } from '../platform/auth/auth.service.ts'
import type { Context } from '../platform/context.ts'
import type { Mailer } from '../ports/mailer.ts'
import { type BackupSettings, createBackupPlace } from './backups.ts'
import type { wireFiles } from './file-stores.ts'

type Dependencies = Context & {
  settings: { backups?: BackupSettings | undefined; appSecret: string; publicUrl: string }
  auth: Pick<AuthService, 'reauthentication'>
  mailer: Mailer
  files: ReturnType<typeof wireFiles>
  orders: { removePictures: Remove; customers: CustomerDataNeeds['orders'] }
  priority: { customers: CustomerDataNeeds['prioritySessions'] }
  whatsApp: { customers: CustomerDataNeeds['messages'] }
  images: { images: { removeAllOf: Remove } }
}

type Remove = (pharmacyId: string, signal?: AbortSignal) => Promise<number>

/** Wires the deletion of pharmacies and of customers' data, and the back-ups, which must not bring them back. */
export function wireDeletion({
  files,
  orders,
  images,
  priority,
  whatsApp,
  settings,
  ...dependencies
}: Dependencies) {
  const { db, clock } = dependencies
  const { backups: place, appSecret, publicUrl } = settings
  const deletion = wirePharmacyDeletion({
    ...dependencies,
    ...files,
    removeOrderPictures: orders.removePictures,
    removeImages: images.images.removeAllOf,
    beforeRemoval: async (tx, pharmacyId) => {
      await closeColleagues(tx, pharmacyId)
      if (place) await enqueueErasure(tx, pharmacyId, clock.now())
    },
  })
  const customerData = wireCustomerData({
    ...dependencies,
    orders: orders.customers,
    prioritySessions: priority.customers,
    messages: whatsApp.customers,
    pharmacyName: createColleaguesStore(db).pharmacyName,
    noteErasure: async (tx, ...erasure) => {
      if (place) await enqueueCustomerErasure(tx, ...erasure)
    },
  })
  const backups = wireBackups({
    ...dependencies,
    publicUrl,
    place: place && createBackupPlace(place, files.stores, appSecret),
    administrators: createAdministratorsStore(db).emails,
    purge: deletion.purgeAgain,
    eraseCustomers: customerData.eraseAgain,
  })
  return { modules: [deletion, customerData, backups], applyErasures: backups.applyErasures }
}
