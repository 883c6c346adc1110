import type { FastifyBaseLogger } from 'fastify'
import { createCloudinaryImages } from '../adapters/cloudinary/cloudinary-images.ts'
import { createRenderedImages } from '../adapters/rendered-images/rendered-images.ts'
import { createSharpPictures } from '../adapters/sharp-pictures/sharp-pictures.ts'
import type { Config } from '../config/config.ts'
import type { MetaSettings } from '../config/providers.ts'
import type { DatabaseConnection } from '../database/database.ts'
import { wireAnalytics } from '../features/analytics/analytics.wiring.ts'
import { wireImages } from '../features/images/images.wiring.ts'
import { wireMedicines } from '../features/medicines/medicines.wiring.ts'
import { wireNotifications } from '../features/notifications/notifications.wiring.ts'
import { enqueueArrivals } from '../features/notifications/push-devices.store.ts'
import { createImageLinks } from '../features/orders/images/order-image-links.ts'
import { type OrdersTiming, wireOrders } from '../features/orders/orders.wiring.ts'
import { followPrioritySession } from '../features/orders/pickup/order-pickup.store.ts'
import { wireAdminPharmacies } from '../features/pharmacies/admin-pharmacies.wiring.ts'
import { moveOrdersPhase } from '../features/pharmacies/pharmacies.store.ts'
import { wirePharmacyActions } from '../features/pharmacy-actions/pharmacy-actions.wiring.ts'
import { wirePharmacyImports } from '../features/pharmacy-imports/pharmacy-imports.wiring.ts'
import { wirePharmacyOverview } from '../features/pharmacy-overview/pharmacy-overview.wiring.ts'
import { wirePriority } from '../features/priority/priority.wiring.ts'
import { wireProductCategories } from '../features/product-categories/product-categories.wiring.ts'
import { createSettingsStore } from '../features/settings/settings.store.ts'
import { wireSettings } from '../features/settings/settings.wiring.ts'
import { wireSubscriptionPlans } from '../features/subscription-plans/subscription-plans.wiring.ts'
import {
  announceCall,
  announcePickup,
} from '../features/whatsapp/messages/automatic-notices.store.ts'
import { type AppModule, closeModules } from '../http/app-module.ts'
import { createFolderAccess } from '../http/pharmacy-folders.ts'
import type { Sessions } from '../http/session.ts'
import { type Audit, createAudit } from '../platform/audit.ts'
import { auditChain } from '../platform/audit-chain.ts'
import type { AuthService } from '../platform/auth/auth.service.ts'
import { createEvents } from '../platform/events.ts'
import type { Jobs } from '../platform/jobs.ts'
import { createOutbound } from '../platform/outbound.ts'
import { type CreateRateLimits, createRateLimits } from '../platform/rate-limits.ts'
import type { Limits, Timing } from '../platform/realtime/limits.ts'
import type { Realtime } from '../platform/realtime/realtime.service.ts'
import { createSecrets } from '../platform/secrets.ts'
import { storageRoutes } from '../platform/storage/storage.routes.ts'
import { createStorage, type StorageLimits } from '../platform/storage/storage.service.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import type { SourceLocation } from '../ports/order-source.ts'
import type { DrawingRenderer, PictureRenderer } from '../ports/picture-renderer.ts'
import type { CardRenderer } from '../ports/share-card.ts'
import { followSessionEvents, type PeopleSettings, wirePeople } from './access.ts'
import { type AirtableSettings, wireAirtable } from './airtable.ts'
import type { BackupSettings } from './backups.ts'
import { type CustomerPagesSettings, wireCustomerPages } from './customer-pages.ts'
import { dailyTimes } from './daily-jobs.ts'
import { wireDeletion } from './deletion.ts'
import { type FileSettings, wireFiles } from './file-stores.ts'
import { wireOffers } from './offers.ts'
import { customerTraces, onStatus } from './order-consequences.ts'
import { wirePharmacyProfile } from './pharmacy-profile.ts'
import { type ProductSettings, registerOf, wireProducts } from './products.ts'
import { wireRealtime } from './realtime.ts'
import { createServiceChecks } from './services.ts'
import { wireTelemetry } from './telemetry.ts'
import { wireMeta } from './whatsapp.ts'

export type Settings = Pick<CustomerPagesSettings, 'renderers'> &
  PeopleSettings & {
    appSecret: string
    /** Undefined: no orders are read from Airtable. */
    airtable: AirtableSettings | undefined
    files: FileSettings
    /** Undefined: this server makes no back-ups. */
    backups?: BackupSettings | undefined
    /** Undefined: pictures are stored with the other files. */
    cloudinary?: Config['cloudinary']
    products?: ProductSettings
    /** Undefined: pharmacies cannot connect WhatsApp. */
    meta?: MetaSettings | undefined
    /** Origins that outbound requests may reach although they are private; see `createOutbound`. */
    outboundAllow?: readonly string[]
    /** Overrides of the default intervals. */
    timing?: OrdersTiming | undefined
    realtime?: { limits?: Partial<Limits>; timing?: Partial<Timing> }
    storage?: Partial<StorageLimits>
    builtFolder?: string
    /** The time limit of the check of a service in milliseconds, if not the default. */
    checkTimeLimitMs?: number
    /** A shared picture renderer, for several applications in one process; undefined: a separate one. */
    pictures?: PictureRenderer & CardRenderer & DrawingRenderer
    clock?: Clock
    telemetry?: Telemetry
  }

/** The wired application. What is not in `modules` or `jobs` is for the HTTP server, the demo and tests. */
export type Wired = {
  modules: readonly AppModule[]
  jobs: Jobs
  auth: AuthService
  sessions: Sessions
  audit: Audit
  realtime: Realtime
  images: ReturnType<typeof wireImages>['images']
  temporaryFiles: TemporaryFiles
  /** Reads the orders of a pharmacy from its order source. */
  readOrders(pharmacyId: string, location: SourceLocation): Promise<unknown>
  isReady(): Promise<boolean>
  /** Of a restored database; to be awaited before jobs and requests. */
  applyErasures(): Promise<void>
  telemetry: Telemetry
  /** Starts the background work. */
  start(): void
  close(): Promise<void>
}

/** The composition root: with the files beside it, the only place that connects ports to adapters. */
export async function wire(
  { url, db, pool, sockets }: DatabaseConnection,
  settings: Settings,
  log: FastifyBaseLogger,
): Promise<Wired> {
  const { clock = systemClock, telemetry = {} } = settings
  const secrets = createSecrets(settings.appSecret)
  const limits: CreateRateLimits = (of) => createRateLimits(pool, secrets.key('rate limits'), of)
  const common = { db, clock, log, secrets, limits, settings }
  const { auth, sessions, pharmacies, mailer, modules: people } = await wirePeople(common)
  const platformSettings = createSettingsStore(db)

  const events = await createEvents(url, pool, log, {
    name: settings.files.listenerName,
    onSilent: sockets.closeAll,
  })
  followSessionEvents(events, sessions)
  const realtime = wireRealtime({ ...common, events, sessions, auth })

  const pictures = settings.pictures ?? createSharpPictures()
  const files = wireFiles(common)
  const { temporaryFiles, storedFiles } = files
  const outbound = createOutbound({ allow: settings.outboundAllow ?? [] })
  const media = { outbound, pictures, temporaryFiles }

  const airtable = wireAirtable(common)
  const orders = wireOrders({
    ...common,
    source: airtable.source,
    pictureFiles: files.orderPictures,
    ...media,
    imageLinks: createImageLinks(secrets, clock),
    onArrived: enqueueArrivals,
    onStatus,
    onPickup: announcePickup,
    findOwner: pharmacies.orderOwner,
    movePhase: (tx, id, move) => moveOrdersPhase(tx, createAudit(db), id, move),
    historyDays: async () => (await platformSettings.value('retention')).removedOrderDays,
    orderDays: async () => (await platformSettings.value('order_retention')).orderDays,
    customerTraces,
    timing: settings.timing,
  })

  const cloudinary = settings.cloudinary && createCloudinaryImages(settings.cloudinary)
  const images = wireImages({
    ...common,
    localHost: createRenderedImages({ files: storedFiles, pictures, temporaryFiles }),
    externalHost: cloudinary,
    ...media,
  })

  const pharmacyProfile = wirePharmacyProfile({ db, images: images.images })
  const { storage, tasks: storageTasks } = createStorage({
    ...common,
    files: storedFiles,
    temporaryFiles,
    pictures,
    ...createFolderAccess(sessions, auth, pharmacies.account, settings.auth.adminKey !== undefined),
    signedUrlKey: secrets.key('storage links'),
    origins: settings.auth.origins,
    limits: settings.storage,
  })

  const products = wireProducts({
    ...common,
    settings: settings.products ?? {},
    images: images.images,
    pharmacies,
    temporaryFiles,
  })
  const register = registerOf(settings.products, temporaryFiles)
  const medicines = wireMedicines({ ...common, register })
  const notifications = wireNotifications({
    ...common,
    outbound,
    publicUrl: settings.publicUrl,
    mailFrom: settings.mail.from,
  })
  const priority = wirePriority({
    ...common,
    onPrioritySession: announceCall,
    onServed: followPrioritySession,
  })
  const whatsApp = wireMeta({
    ...common,
    mailer,
    noteMessage: orders.noteMessage,
    createOrder: orders.create,
    markReady: orders.markReady,
    issueLink: priority.issueUrl,
  })
  const checks = createServiceChecks({
    db,
    settings,
    checkAirtable: airtable.check,
    mailer,
    files: files.orderPictures,
    cloudinary,
    assistant: products.webhook,
    productImages: products.provider,
    register,
    lastImport: medicines.lastImport,
    pushKeys: notifications.keys,
    meta: whatsApp.business,
  })
  const adminPharmacies = wireAdminPharmacies({
    ...common,
    auth,
    source: airtable.source,
    returnToAirtable: orders.returnToAirtable,
    leaveAirtable: orders.leaveAirtable,
  })
  const subscriptionPlans = wireSubscriptionPlans(common)
  const categories = wireProductCategories(db)
  const offers = wireOffers({
    ...common,
    categories: categories.store,
    productImageUrl: settings.products?.productImageUrl,
  })
  const customerPages = wireCustomerPages({
    ...common,
    events,
    categories: categories.store,
    pharmacies,
    profiles: pharmacyProfile.profiles,
    servedImages: images.servedImages,
    cards: pictures,
    temporaryFiles,
    pageViewDays: async () => (await platformSettings.value('retention')).pageViewDays,
  })

  const deletion = wireDeletion({
    ...common,
    auth,
    mailer,
    files,
    orders,
    images,
    priority,
    whatsApp,
  })

  const modules: AppModule[] = [
    files,
    { close: settings.pictures ? () => {} : pictures.close },
    { close: outbound.close },
    { close: airtable.close },
    { close: events.close },
    ...people,
    wirePharmacyActions({ db, auth }),
    wirePharmacyOverview(common),
    adminPharmacies,
    subscriptionPlans,
    wirePharmacyImports({
      ...common,
      pharmacies: { ...adminPharmacies.imported, plans: subscriptionPlans.plans.list },
    }),
    auditChain(db, log),
    realtime,
    {
      routes: ({ app }) => app.register(storageRoutes, { prefix: '/storage/v1', storage }),
      tasks: storageTasks,
    },
    images,
    pharmacyProfile,
    products,
    medicines,
    categories,
    offers,
    ...customerPages.modules,
    orders,
    airtable.bases(orders),
    notifications,
    priority,
    wireAnalytics({
      ...common,
      refreshOrders: orders.ensureFresh,
      priorityReport: priority.report,
      pharmacy: pharmacies.ofSession,
      fold: customerPages.fold,
      shownOffers: customerPages.shownOffers,
      ordersToCollect: (owner) => orders.count(owner, {}),
      mailer,
      drawings: pictures,
      temporaryFiles,
    }),
    whatsApp,
    wireSettings({ ...common, checks, privacyPage: customerPages.privacyPage }),
    ...deletion.modules,
  ]

  const observed = { ...common, ...realtime, pool, modules, events, temporaryFiles }
  const { isReady, tasks, activity } = wireTelemetry(telemetry, observed)
  await events.ready()
  return {
    modules,
    jobs: { tasks, daily: dailyTimes, activity },
    auth,
    sessions,
    audit: createAudit(db),
    realtime: realtime.realtime,
    images: images.images,
    temporaryFiles,
    readOrders: orders.read,
    isReady,
    applyErasures: deletion.applyErasures,
    telemetry,
    start() {
      for (const module of modules) module.start?.()
    },
    close: () => closeModules(modules),
  }
}
