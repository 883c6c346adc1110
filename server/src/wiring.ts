import type { FastifyBaseLogger } from 'fastify'
import type { AirtableOptions } from './adapters/airtable/airtable-client.ts'
import { createAirtableOrders } from './adapters/airtable/airtable-orders.ts'
import { createCloudinaryImages } from './adapters/cloudinary/cloudinary-images.ts'
import { createRenderedImages } from './adapters/rendered-images/rendered-images.ts'
import { createSharpPictures } from './adapters/sharp-pictures/sharp-pictures.ts'
import type { Services } from './app.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/database.ts'
import { wireAccount } from './features/account/account.wiring.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { imageLimits } from './features/images/images.service.ts'
import { wireImages } from './features/images/images.wiring.ts'
import { notificationTasks } from './features/notifications/notifications.jobs.ts'
import { vapidSubject } from './features/notifications/notifications.rules.ts'
import {
  createNotifications,
  notificationLimits,
} from './features/notifications/notifications.service.ts'
import { enqueueArrivals } from './features/notifications/push-arrivals.store.ts'
import { createPushDevicesStore } from './features/notifications/push-devices.store.ts'
import { createPushKeysStore } from './features/notifications/push-keys.store.ts'
import { createPushKeys } from './features/notifications/push-keys.ts'
import { createPushSender } from './features/notifications/push-sender.ts'
import { newOrderLimits } from './features/orders/creation/new-orders.service.ts'
import { createImageLinks } from './features/orders/images/order-image-links.ts'
import { type OrdersTiming, wireOrders } from './features/orders/orders.wiring.ts'
import { createPharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { visitLimits } from './features/visits/visits.service.ts'
import { createFolderAccess } from './http/pharmacy-folders.ts'
import {
  broadcastDatabaseEvents,
  broadcastMissed,
  createTopicAccess,
} from './http/pharmacy-topics.ts'
import { createEvents } from './platform/events.ts'
import type { Jobs } from './platform/jobs.ts'
import { createOutbound } from './platform/outbound.ts'
import { createRateLimits } from './platform/rate-limits.ts'
import type { Limits, Timing } from './platform/realtime/limits.ts'
import { createRealtime } from './platform/realtime/realtime.service.ts'
import { createRequestSlots } from './platform/request-slots.ts'
import { createSecrets } from './platform/secrets.ts'
import { createStorage, type StorageLimits } from './platform/storage/storage.service.ts'
import { createStoredFilesStore } from './platform/stored-files.store.ts'
import { createStoredFiles } from './platform/stored-files.ts'
import { dailyFilesCleanup, storedFilesTasks } from './platform/stored-files-job.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import type { PictureRenderer } from './ports/picture-renderer.ts'
import type { CardRenderer } from './ports/share-card.ts'
import { createFileStores, type FileSettings } from './wiring-files.ts'
import { followSessionEvents, type PeopleSettings, wirePeople } from './wiring-people.ts'
import { type ProductSettings, productLimits, wireProducts } from './wiring-products.ts'
import { type PublicPagesSettings, wirePublicPages } from './wiring-public-pages.ts'

export type Settings = PeopleSettings & {
  appSecret: string
  /** Undefined: no orders are read from Airtable. */
  airtable: Omit<AirtableOptions, 'slots'> | undefined
  files: FileSettings
  /** Undefined: pictures are stored with the other files. */
  cloudinary?: Config['cloudinary']
  products?: ProductSettings
  /** Origins that outbound requests may reach although they are private; see `createOutbound`. */
  outboundAllow?: readonly string[]
  /** Overrides of the default intervals. */
  timing?: OrdersTiming | undefined
  realtime?: { limits?: Partial<Limits>; timing?: Partial<Timing> }
  storage?: Partial<StorageLimits>
  builtFolder?: string
  /** A shared picture renderer, for several applications in one process; undefined: a separate one. */
  pictures?: PictureRenderer & CardRenderer
  renderer?: PublicPagesSettings['renderer']
  clock?: Clock
}

export type Wired = {
  services: Services
  jobs: Jobs
  /** Starts the background work. */
  start(): void
  close(): Promise<void>
}

/** The composition root: with the other `wiring-*.ts`, the only place that connects ports to adapters. */
export async function wire(
  { url, db, pool }: DatabaseConnection,
  settings: Settings,
  log: FastifyBaseLogger,
): Promise<Wired> {
  const clock = settings.clock ?? systemClock
  const common = { db, clock, log }
  const secrets = createSecrets(settings.appSecret)
  const pharmacies = createPharmaciesStore(db)
  const administrators = createAdministratorsStore(db)
  const { auth, jobs, sessions, apiKeys, colleagues, mailer } = await wirePeople({
    ...common,
    pool,
    secrets,
    pharmacies,
    administrators,
    settings,
  })
  const events = await createEvents(url, pool, log)
  followSessionEvents(events, sessions)

  const realtime = createRealtime({
    db,
    events,
    ...createTopicAccess(sessions, clock),
    isAdminKey: auth.isAdminKey,
    publicUrl: settings.publicUrl,
    origins: settings.auth.origins,
    onMissed: () => broadcastMissed(realtime),
    clock,
    log,
    ...settings.realtime,
  })
  broadcastDatabaseEvents(events, realtime)

  const pictures = settings.pictures ?? createSharpPictures()
  const { temporaryFiles, ...stores } = createFileStores(settings.files)
  const storedFiles = createStoredFiles(db, stores.files)
  const cleanDisk = () => stores.clean(clock.now())

  const outbound = createOutbound({ allow: settings.outboundAllow ?? [] })
  const source = settings.airtable
    ? createAirtableOrders({ ...settings.airtable, slots: createRequestSlots(db) })
    : null
  const orders = wireOrders({
    db,
    source,
    pictureFiles: stores.orderPictures,
    outbound,
    pictures,
    temporaryFiles,
    imageLinks: createImageLinks(secrets, clock),
    limits: createRateLimits(pool, secrets.key('rate limits'), newOrderLimits),
    onArrived: enqueueArrivals,
    findOwner: pharmacies.orderOwner,
    clock,
    log,
    timing: settings.timing,
  })

  const images = wireImages({
    ...common,
    localHost: createRenderedImages({ files: storedFiles, pictures, temporaryFiles }),
    externalHost: settings.cloudinary && createCloudinaryImages(settings.cloudinary),
    pictures,
    temporaryFiles,
    outbound,
    limits: createRateLimits(pool, secrets.key('rate limits'), imageLimits),
  })

  const { storage, tasks: storageTasks } = createStorage({
    db,
    files: storedFiles,
    temporaryFiles,
    pictures,
    ...createFolderAccess(sessions, auth, pharmacies.account, settings.auth.adminKey !== undefined),
    signedUrlKey: secrets.key('storage links'),
    origins: settings.auth.origins,
    limits: settings.storage,
    clock,
    log,
  })

  const products = wireProducts({
    ...common,
    settings: settings.products ?? {},
    images: images.services.images,
    pharmacies,
    temporaryFiles,
    limits: createRateLimits(pool, secrets.key('rate limits'), productLimits),
  })

  const publicPages = wirePublicPages({
    ...common,
    events,
    pharmacies,
    sessions,
    servedImages: images.services.servedImages,
    cards: pictures,
    temporaryFiles,
    limits: createRateLimits(pool, secrets.key('rate limits'), visitLimits),
    settings,
  })

  const pushKeys = createPushKeys(createPushKeysStore(db), secrets)
  const notifications = createNotifications({
    devices: createPushDevicesStore(db),
    keys: pushKeys,
    sender: createPushSender({
      keys: pushKeys,
      outbound,
      subject: vapidSubject(settings.publicUrl, settings.mail.from),
      log,
    }),
    limits: createRateLimits(pool, secrets.key('rate limits'), notificationLimits),
    allows: outbound.allows,
  })

  await events.ready()
  return {
    services: {
      auth,
      account: wireAccount({ db, auth, oidc: settings.auth.oidc, clock }),
      sessions,
      ...orders.services,
      ...images.services,
      ...products.services,
      ...publicPages.services,
      temporaryFiles,
      apiKeys,
      colleagues,
      notifications,
      pharmacies,
      administrators,
      realtime,
      storage,
      isReady: async () => {
        await db.selectFrom('schema_migrations').select('name').limit(1).execute()
        return true
      },
    },
    jobs: {
      ...jobs,
      daily: [
        ...(jobs.daily ?? []),
        ...orders.daily,
        ...images.daily,
        ...publicPages.daily,
        dailyFilesCleanup,
      ],
      tasks: {
        ...jobs.tasks,
        ...orders.tasks,
        ...images.tasks,
        ...publicPages.tasks,
        ...storageTasks,
        ...storedFilesTasks({
          files: createStoredFilesStore(db),
          store: stores.files,
          cleanDisk,
          log,
        }),
        ...notificationTasks(notifications),
      },
    },
    start() {
      orders.start()
      cleanDisk().catch((error: unknown) => log.warn({ err: error }, 'the disk was not cleaned'))
    },
    async close() {
      mailer.close()
      await orders.stop()
      await realtime.close()
      await events.close()
      await products.close()
      await publicPages.close()
      await outbound.close()
      if (!settings.pictures) await pictures.close()
      stores.close()
    },
  }
}
