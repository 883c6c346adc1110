import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { paths } from '@bancone/contract/pages'
import { wellFormedJson } from '@bancone/contract/well-formed-text'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError } from '../base/app-error.ts'
import type { Audit } from '../platform/audit.ts'
import {
  acceptJson,
  enforceBodyTimeout,
  limitPublicBodies,
  MAX_BODY_TIMEOUT_MS,
  MAX_JSON_BYTES,
} from '../platform/request-bodies.ts'
import { logRequests, observeRequests } from '../platform/request-log.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import type { AppModule } from './app-module.ts'
import { auditRequests } from './audit-requests.ts'
import { compressLargeAnswers } from './compress-answers.ts'
import { handleErrors, limitRefusedCalls, sendError } from './error-handler.ts'
import { healthRoutes } from './health.ts'
import { apiDocsRoutes, openApiRoute } from './openapi.ts'
import { pageRoutes } from './pages.ts'
import { addSecurityHeaders, type ExternalLogin, loginPageHeaders } from './security.ts'
import {
  createServe,
  createServeFile,
  createServeList,
  isAuthenticated,
  queryConstraint,
} from './serve.ts'
import { createServeCachedJson } from './serve-cached-json.ts'
import { createServeUpload } from './serve-upload.ts'
import type { Sessions } from './session.ts'

/** The parts of the application that its HTTP server needs. */
export type AppParts = {
  modules: readonly AppModule[]
  sessions: Sessions
  audit: Pick<Audit, 'record'>
  temporaryFiles: TemporaryFiles
  /** Whether requests can be served; may also reject. */
  isReady(): Promise<boolean>
  telemetry: Telemetry
}

export type AppOptions = {
  log: FastifyBaseLogger
  trustProxy: boolean | number | string[]
  publicUrl: string
  /** Additional origins of pictures in the Content-Security-Policy, which may lack TLS. */
  pictureOrigins?: readonly string[]
  /** The login whose script the page of the WhatsApp connection loads; undefined: Meta is not configured. */
  metaLogin?: ExternalLogin | undefined
  /** Refused calls of a network per minute, if not the default. */
  maxRefusedCalls?: number
  /** The folder of the built web application; nothing is served if it does not exist. */
  webFolder: string
  /** Whether the server is about to stop. It still answers, but is not ready. */
  isDraining?: () => boolean
  /** The host names on which a page load clears the browser storage. */
  previewHosts: readonly string[]
}

/** Builds the Fastify instance without listening, so that tests can inject requests. */
export async function buildApp(
  { modules, sessions, audit, temporaryFiles, isReady, telemetry }: AppParts,
  options: AppOptions,
): Promise<FastifyInstance> {
  const hops = options.trustProxy
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,
    bodyLimit: MAX_JSON_BYTES,
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
    routerOptions: { constraints: { query: queryConstraint() } },
  })
  observeRequests(app, telemetry)
  if (hops === false) warnOfUntrustedProxy(app)
  const { isDraining = () => false } = options
  closeConnectionsOnShutdown(app, isDraining)
  compressLargeAnswers(app)
  enforceBodyTimeout(app)
  limitPublicBodies(app, isAuthenticated)
  handleErrors(app)
  limitRefusedCalls(app, options.maxRefusedCalls)
  acceptJson(app, {
    onInvalid: (cause) => new AppError('request.invalid', { cause }),
    repair: wellFormedJson,
  })
  logRequests(app)
  auditRequests(app, audit)
  addSecurityHeaders(app, {
    https: options.publicUrl.startsWith('https:'),
    pictureOrigins: options.pictureOrigins,
  })
  healthRoutes(app, isReady, isDraining)
  const http = {
    app,
    serve: createServe(app, sessions),
    serveCachedJson: createServeCachedJson(app, sessions),
    serveList: createServeList(app, sessions),
    serveFile: createServeFile(app, sessions),
    serveUpload: createServeUpload(app, sessions, temporaryFiles),
  }
  openApiRoute(app)
  for (const module of modules) await module.routes?.(http)
  apiDocsRoutes(app)

  const { webFolder: folder, previewHosts, metaLogin, pictureOrigins } = options
  await pageRoutes(app, {
    folder,
    previewHosts,
    headersOf: metaLogin ? { [paths.whatsapp]: loginPageHeaders(metaLogin, pictureOrigins) } : {},
  })
  return app
}

/**
 * Warns once when a request has come through a proxy although none is trusted: then all clients have the address of the
 * proxy and share its limits.
 */
function warnOfUntrustedProxy(app: FastifyInstance) {
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      const message = 'X-Forwarded-For is ignored: behind a proxy set TRUST_PROXY'
      app.log.warn({ proxy: request.ip }, message)
    }
    done()
  })
}

/** Milliseconds that responses in progress have to complete when the server stops. */
const GRACE_MS = 5_000

/**
 * Closes idle connections when the server stops. Browsers open connections speculatively, which Node counts as active,
 * and keep used ones alive: without this, closing the server would wait a minute for either. While the server is about to
 * stop, each response is the last one of its connection.
 */
export function closeConnectionsOnShutdown(
  app: FastifyInstance,
  isDraining: () => boolean,
  graceMs = GRACE_MS,
): void {
  const unused = new Set<Socket>()
  // Node does not track upgraded sockets in `closeAllConnections`, but waits for them.
  const upgraded = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.server.on('upgrade', ({ socket }) => {
    unused.delete(socket)
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || isDraining()) reply.header('Connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of unused) socket.destroy()
    setTimeout(() => {
      app.server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
    }, graceMs).unref()
  })
}
