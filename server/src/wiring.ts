import { paths } from '@bancone/contract/pages'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { AirtableOptions } from './adapters/airtable/airtable-client.ts'
import { createAirtableOrders } from './adapters/airtable/airtable-orders.ts'
import { createCloudinaryImages } from './adapters/cloudinary/cloudinary-images.ts'
import { createDrawnImages } from './adapters/drawn-images/drawn-images.ts'
import { createMailOutbox } from './adapters/mail-outbox/mail-outbox.ts'
import { createSharpPictures } from './adapters/sharp-pictures/sharp-pictures.ts'
import type { Services } from './app.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/database.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { createApiKeys } from './features/api-keys/api-keys.service.ts'
import { createApiKeysStore } from './features/api-keys/api-keys.store.ts'
import { imageLimits } from './features/images/images.service.ts'
import { wireImages } from './features/images/images.wiring.ts'
import { notificationTasks } from './features/notifications/notifications.jobs.ts'
import { vapidSubject } from './features/notifications/notifications.rules.ts'
import {
  createNotifications,
  notificationLimits,
} from './features/notifications/notifications.service.ts'
import { tellOfArrivals } from './features/notifications/push-arrivals.store.ts'
import { createPushDevicesStore } from './features/notifications/push-devices.store.ts'
import { createPushKeysStore } from './features/notifications/push-keys.store.ts'
import { createPushKeys } from './features/notifications/push-keys.ts'
import { createPushSender } from './features/notifications/push-sender.ts'
import { createImageLinks } from './features/orders/images/order-image-links.ts'
import { newOrderLimits } from './features/orders/making/new-orders.service.ts'
import { type OrdersTiming, wireOrders } from './features/orders/orders.wiring.ts'
import { createPharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { createFolderAccess } from './http/pharmacy-folders.ts'
import { createTopicAccess, tellMissed, tellTopics } from './http/pharmacy-topics.ts'
import { createSessions } from './http/session.ts'
import { createAudit } from './platform/audit.ts'
import { createAuth } from './platform/auth/auth.service.ts'
import { AuthError } from './platform/auth/auth-error.ts'
import { type AuthLimitName, authLimits } from './platform/auth/auth-limits.ts'
import { createEvents } from './platform/events.ts'
import type { Jobs } from './platform/jobs.ts'
import { createKeptFilesStore } from './platform/kept-files.store.ts'
import { createKeptFiles } from './platform/kept-files.ts'
import { dailyFilesCleanup, keptFilesTasks } from './platform/kept-files-job.ts'
import { createOutbound } from './platform/outbound.ts'
import { createRateLimits, type Limit } from './platform/rate-limits.ts'
import type { Limits, Timing } from './platform/realtime/bounds.ts'
import { createRealtime } from './platform/realtime/realtime.service.ts'
import { createRequestPaces } from './platform/request-paces.ts'
import { createSecrets } from './platform/secrets.ts'
import { createStorage, type StorageLimits } from './platform/storage/storage.service.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import type { Mailer } from './ports/mailer.ts'
import { createFileStores, type FileSettings } from './wiring-files.ts'
import { type ProductSettings, productLimits, wireProducts } from './wiring-products.ts'

/** The sessions that ended; none when there were too many to name. */
const SessionIds = z.array(z.string())

export type Settings = {
  appSecret: string
  publicUrl: string
  /** Undefined: no pharmacy's orders can be read from Airtable. */
  airtable: Omit<AirtableOptions, 'pace'> | undefined
  auth: Config['auth']
  mail: { smtpUrl: string | undefined; from: string; outbox: string }
  files: FileSettings
  /** Undefined: pictures are kept where files are. */
  cloudinary?: Config['cloudinary']
  products?: ProductSettings
  /** Origins that data may lead to wherever they are; see `createOutbound`. */
  outboundAllow?: readonly string[]
  /** Other waits than the usual ones. */
  timing?: OrdersTiming | undefined
  /** Other limits than the usual ones. */
  limits?: Partial<Record<AuthLimitName, Limit>>
  realtime?: { limits?: Partial<Limits>; timing?: Partial<Timing> }
  storage?: Partial<StorageLimits>
  clock?: Clock
}

export type Wired = {
  services: Services
  jobs: Jobs
  /** From now on it does by itself what nobody asks for. */
  start(): void
  close(): Promise<void>
}

/** The composition root: the only place that knows which adapter stands behind which port. */
export async function wire(
  { url, db, pool }: DatabaseConnection,
  settings: Settings,
  log: FastifyBaseLogger,
): Promise<Wired> {
  const clock = settings.clock ?? systemClock
  const secrets = createSecrets(settings.appSecret)
  const pharmacies = createPharmaciesStore(db)
  const administrators = createAdministratorsStore(db)
  const mailer = await createMailer(settings.mail, log)
  const { auth, jobs } = await createAuth({
    db,
    secrets,
    limits: createRateLimits(pool, secrets.key('rate limits'), {
      ...authLimits,
      ...settings.limits,
    }),
    audit: createAudit(db),
    mailer,
    clock,
    settings: {
      ...settings.auth,
      publicUrl: settings.publicUrl,
      pages: { login: paths.login, confirm: paths.confirm },
    },
    isAdministrator: administrators.includes,
    onSessionEnded: (sessionId) => sessions.forget(sessionId),
    log,
  })
  const apiKeys = createApiKeys({
    store: createApiKeysStore(db),
    onRevoked: (keyId) => sessions.forget(keyId),
  })
  const sessions = createSessions({
    subject: auth.sessions.subject,
    isAlive: auth.sessions.isAlive,
    account: pharmacies.account,
    async keyHolder(key) {
      const found = await apiKeys.holder(key)
      const pharmacy = found && (await pharmacies.ofSession(found.pharmacyId))
      return pharmacy && { keyId: found.keyId, pharmacy }
    },
    isRefusal: (error) => error instanceof AuthError,
  })
  const events = await createEvents(url, pool, log)
  events.on('session_ended', (payload) => {
    const ended = SessionIds.parse(JSON.parse(payload))
    for (const id of ended) sessions.forget(id)
    if (ended.length === 0) sessions.doubt()
  })
  events.on('account_changed', (userId) => sessions.doubt(userId))
  events.onMissed(() => sessions.doubt())

  const realtime = createRealtime({
    db,
    events,
    ...createTopicAccess(sessions, clock),
    isAdminKey: auth.isAdminKey,
    publicUrl: settings.publicUrl,
    origins: settings.auth.origins,
    onMissed: () => tellMissed(realtime),
    clock,
    log,
    ...settings.realtime,
  })
  tellTopics(events, realtime)

  const pictures = createSharpPictures()
  const { scratch, ...stores } = createFileStores(settings.files)
  const keptFiles = createKeptFiles(db, stores.files)
  const cleanDisk = () => stores.clean(clock.now())

  const outbound = createOutbound({ allow: settings.outboundAllow ?? [] })
  const source = settings.airtable
    ? createAirtableOrders({ ...settings.airtable, pace: createRequestPaces(db) })
    : null
  const orders = wireOrders({
    db,
    source,
    pictureFiles: stores.orderPictures,
    outbound,
    pictures,
    scratch,
    imageLinks: createImageLinks(secrets, clock),
    limits: createRateLimits(pool, secrets.key('rate limits'), newOrderLimits),
    onArrived: tellOfArrivals,
    findOwner: pharmacies.orderOwner,
    clock,
    log,
    timing: settings.timing,
  })

  const images = wireImages({
    db,
    drawn: createDrawnImages({ files: keptFiles, pictures, scratch }),
    service: settings.cloudinary && createCloudinaryImages(settings.cloudinary),
    pictures,
    scratch,
    outbound,
    limits: createRateLimits(pool, secrets.key('rate limits'), imageLimits),
    clock,
    log,
  })

  const { storage, tasks: storageTasks } = createStorage({
    db,
    files: keptFiles,
    scratch,
    pictures,
    ...createFolderAccess(sessions, auth, pharmacies.account, settings.auth.adminKey !== undefined),
    linkKey: secrets.key('storage links'),
    origins: settings.auth.origins,
    limits: settings.storage,
    clock,
    log,
  })

  const products = wireProducts({
    db,
    settings: settings.products ?? {},
    images: images.services.images,
    pharmacies,
    scratch,
    limits: createRateLimits(pool, secrets.key('rate limits'), productLimits),
    clock,
    log,
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
      sessions,
      ...orders.services,
      ...images.services,
      ...products.services,
      scratch,
      apiKeys,
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
      daily: [...(jobs.daily ?? []), ...orders.daily, ...images.daily, dailyFilesCleanup],
      tasks: {
        ...jobs.tasks,
        ...orders.tasks,
        ...images.tasks,
        ...storageTasks,
        ...keptFilesTasks({ files: createKeptFilesStore(db), store: stores.files, cleanDisk, log }),
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
      await outbound.close()
      await pictures.close()
      stores.close()
    },
  }
}

/** Mails leave by SMTP, or wait as files for whoever tries things out. */
async function createMailer(
  { smtpUrl, from, outbox }: Settings['mail'],
  log: FastifyBaseLogger,
): Promise<Mailer & { close(): void }> {
  if (smtpUrl) {
    const { createSmtpMailer } = await import('./adapters/smtp/smtp-mailer.ts')
    return createSmtpMailer({ url: smtpUrl, from })
  }
  const onWritten = (file: string) => log.info({ file }, 'mail written')
  return { ...createMailOutbox({ folder: outbox, from, onWritten }), close() {} }
}
