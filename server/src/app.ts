import { randomUUID } from 'node:crypto'
import { endpoints } from '@bancone/contract/api'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError } from './app-error.ts'
import { accountRoutes } from './features/account/account.routes.ts'
import type { AccountService } from './features/account/account.service.ts'
import { administratorRoutes } from './features/administrators/administrators.routes.ts'
import type { AdministratorsStore } from './features/administrators/administrators.store.ts'
import { apiKeyRoutes } from './features/api-keys/api-keys.routes.ts'
import type { ApiKeysService } from './features/api-keys/api-keys.service.ts'
import { assistantRoutes } from './features/assistant/assistant.routes.ts'
import type { AssistantService } from './features/assistant/assistant.service.ts'
import { colleagueRoutes } from './features/colleagues/colleagues.routes.ts'
import type { ColleaguesService } from './features/colleagues/colleagues.service.ts'
import { imageRoutes } from './features/images/images.routes.ts'
import type { ImagesService } from './features/images/images.service.ts'
import { servedImageAnswer, servedImageRoutes } from './features/images/served-images.routes.ts'
import type { ServedImages } from './features/images/served-images.ts'
import { notificationRoutes } from './features/notifications/notifications.routes.ts'
import type { NotificationsService } from './features/notifications/notifications.service.ts'
import { offerRoutes } from './features/offers/offers.routes.ts'
import type { OffersService } from './features/offers/offers.service.ts'
import { orderChangeRoutes } from './features/orders/changes/order-changes.routes.ts'
import type { OrderChanges } from './features/orders/changes/order-changes.service.ts'
import { newOrderRoutes } from './features/orders/creation/new-orders.routes.ts'
import type { NewOrdersService } from './features/orders/creation/new-orders.service.ts'
import { orderDetailsRoutes } from './features/orders/details/order-details.routes.ts'
import type { OrderDetailsService } from './features/orders/details/order-details.service.ts'
import { orderExportRoutes } from './features/orders/exports/order-exports.routes.ts'
import type { OrderExports } from './features/orders/exports/order-exports.service.ts'
import type { ImageLinks } from './features/orders/images/order-image-links.ts'
import { orderImageRoutes } from './features/orders/images/order-images.routes.ts'
import type { OrderImages } from './features/orders/images/order-images.service.ts'
import { orderHealthRoutes } from './features/orders/order-health.routes.ts'
import type { OrderHealthService } from './features/orders/order-health.service.ts'
import { orderRoutes } from './features/orders/orders.routes.ts'
import type { OrdersService } from './features/orders/orders.service.ts'
import { replyTextRoutes } from './features/orders/replies/reply-texts.routes.ts'
import type { ReplyTextsStore } from './features/orders/replies/reply-texts.store.ts'
import { orderViewRoutes } from './features/orders/views/order-views.routes.ts'
import type { OrderViewsStore } from './features/orders/views/order-views.store.ts'
import { pharmacyRoutes } from './features/pharmacies/pharmacies.routes.ts'
import type { PharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { productCategoryRoutes } from './features/product-categories/product-categories.routes.ts'
import type { ProductCategoriesStore } from './features/product-categories/product-categories.store.ts'
import { productImageRoutes } from './features/product-images/product-images.routes.ts'
import type { ProductImagesService } from './features/product-images/product-images.service.ts'
import {
  publicOffersRoutes,
  publicPageAnswer,
  publicPageRoutes,
} from './features/public-offers/public-offers.routes.ts'
import type { PublicOffersService } from './features/public-offers/public-offers.service.ts'
import type { PublicPages } from './features/public-offers/public-pages.ts'
import { shareImageRoutes } from './features/public-offers/share/share-images.routes.ts'
import type { ShareImages } from './features/public-offers/share/share-images.service.ts'
import { siteMapRoutes } from './features/public-offers/site-map.routes.ts'
import type { SiteMap } from './features/public-offers/site-map.ts'
import { visitRoutes } from './features/visits/visits.routes.ts'
import type { VisitsService } from './features/visits/visits.service.ts'
import { apiDocsRoutes } from './http/api-docs.ts'
import { enforceBodyTimeout, MAX_BODY_TIMEOUT_MS } from './http/body-timeout.ts'
import { handleErrors, sendError } from './http/error-handler.ts'
import { addFastPath } from './http/fast-path.ts'
import { healthRoutes } from './http/health.ts'
import { openApiRoute } from './http/openapi.ts'
import { pageRoutes } from './http/pages.ts'
import { queryConstraint } from './http/query-constraint.ts'
import { logRequests } from './http/request-log.ts'
import { addSecurityHeaders, securityHeaders } from './http/security.ts'
import { createServe, createServeFile, createServeList } from './http/serve.ts'
import { createServeUpload } from './http/serve-upload.ts'
import type { Sessions } from './http/session.ts'
import { closeConnectionsOnShutdown } from './http/shutdown.ts'
import { authRoutes } from './platform/auth/auth.routes.ts'
import type { AuthService } from './platform/auth/auth.service.ts'
import { realtimeRoutes } from './platform/realtime/realtime.routes.ts'
import type { Realtime } from './platform/realtime/realtime.service.ts'
import { storageRoutes } from './platform/storage/storage.routes.ts'
import type { Storage } from './platform/storage/storage.service.ts'
import type { TemporaryFiles } from './platform/temporary-files.ts'

export type Services = {
  auth: AuthService
  account: AccountService
  sessions: Sessions
  orders: OrdersService
  orderChanges: OrderChanges
  orderDetails: OrderDetailsService
  orderViews: OrderViewsStore
  replyTexts: ReplyTextsStore
  orderHealth: OrderHealthService
  orderExports: OrderExports
  newOrders: NewOrdersService
  apiKeys: ApiKeysService
  colleagues: ColleaguesService
  orderImages: OrderImages
  imageLinks: ImageLinks
  images: ImagesService
  servedImages: ServedImages
  productImages: ProductImagesService
  assistant: AssistantService
  categories: ProductCategoriesStore
  offers: OffersService
  publicOffers: PublicOffersService
  /** Undefined if the public pages are not built. */
  publicPages: PublicPages | undefined
  siteMap: SiteMap
  shareImages: ShareImages
  visits: VisitsService
  notifications: NotificationsService
  pharmacies: PharmaciesStore
  administrators: AdministratorsStore
  realtime: Realtime
  storage: Storage
  temporaryFiles: TemporaryFiles
  isReady(): Promise<boolean>
}

export type AppOptions = {
  log: FastifyBaseLogger
  trustProxy: boolean | number | string[]
  publicUrl: string
  /** Additional origins of pictures in the Content-Security-Policy, which may lack TLS. */
  pictureOrigins?: readonly string[]
  /** The folder of the built web application; nothing is served if it does not exist. */
  webFolder: string
  /** The host names on which a page load clears the browser storage. */
  previewHosts: readonly string[]
}

/** Builds the Fastify instance without listening, so that tests can inject requests. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const hops = options.trustProxy
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    bodyLimit: 1024 * 1024,
    genReqId: () => randomUUID(),
    // The upper limit for receiving any request; `enforceBodyTimeout` has lower limits per route.
    requestTimeout: MAX_BODY_TIMEOUT_MS,
    http: { headersTimeout: 30_000 },
    // Closes connections whose client stops reading the response.
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    // For URLs that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      void sendError(new AppError('request.invalid'), request, reply)
    },
    routerOptions: { constraints: { query: queryConstraint(endpoints) } },
  })
  const security = {
    https: options.publicUrl.startsWith('https:'),
    pictureOrigins: options.pictureOrigins,
  }
  addFastPath(app, servedImageAnswer(services.servedImages))
  if (services.publicPages) {
    addFastPath(app, publicPageAnswer(services.publicPages, securityHeaders(security)))
  }
  closeConnectionsOnShutdown(app)
  enforceBodyTimeout(app)
  handleErrors(app)
  logRequests(app)
  addSecurityHeaders(app, security)
  healthRoutes(app, services.isReady)
  await app.register(authRoutes, { prefix: '/auth/v1', auth: services.auth })
  await app.register(realtimeRoutes, { prefix: '/realtime/v1', realtime: services.realtime })
  await app.register(storageRoutes, { prefix: '/storage/v1', storage: services.storage })

  const serve = createServe(app, services.sessions)
  const serveList = createServeList(app, services.sessions)
  orderRoutes(serve, serveList, services.orders)
  orderChangeRoutes(serve, services.orderChanges)
  orderDetailsRoutes(serve, services.orderDetails)
  orderViewRoutes(serve, services.orderViews)
  replyTextRoutes(serve, services.replyTexts)
  orderHealthRoutes(serve, services.orderHealth)
  orderExportRoutes(serve, createServeFile(app, services.sessions), services.orderExports)
  newOrderRoutes(serve, services.newOrders)
  apiKeyRoutes(serve, services.apiKeys)
  colleagueRoutes(serve, services.colleagues)
  orderImageRoutes(app, services.imageLinks, services.orderImages)
  imageRoutes(
    serve,
    createServeUpload(app, services.sessions, services.temporaryFiles),
    services.images,
  )
  servedImageRoutes(app, services.servedImages)
  productImageRoutes(serve, services.productImages)
  assistantRoutes(serve, services.assistant)
  productCategoryRoutes(serve, services.categories)
  offerRoutes(serve, services.offers)
  publicOffersRoutes(serve, services.publicOffers)
  if (services.publicPages) publicPageRoutes(app, services.publicPages)
  siteMapRoutes(app, services.siteMap)
  shareImageRoutes(app, services.shareImages)
  visitRoutes(serve, services.visits)
  notificationRoutes(serve, services.notifications)
  pharmacyRoutes(serve, services.pharmacies)
  administratorRoutes(serve, services.administrators)
  accountRoutes(serve, services.account)
  openApiRoute(app)
  apiDocsRoutes(app)

  await pageRoutes(app, { folder: options.webFolder, previewHosts: options.previewHosts })
  return app
}
