import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { publicOffersPath } from '@bancone/contract/pages'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { APP_SECRET_FILE, readOrCreateSecret, readSecret } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Config, requireBucket } from '../config/config.ts'
import { isLoopback } from '../config/config-variables.ts'
import { watchCommits } from '../database/commit-waits.ts'
import { connectDatabase, type Database } from '../database/database.ts'
import { openDataFolder } from '../database/embedded/folders.ts'
import { passwordFile } from '../database/embedded.ts'
import { openDatabase } from '../database/open.ts'
import { openPooler } from '../database/pooler.ts'
import { runtimeUrl } from '../database/runtime-role.ts'
import {
  type DemoAccount,
  demoAccountsIn,
  demoPassword,
  demoPharmacyCode,
  refuseDemoAccounts,
} from '../demo/demo-accounts.ts'
import { buildApp } from '../http/app.ts'
import { listenForMetrics } from '../http/health.ts'
import { makeKeyFile } from '../platform/backups/backup-key.ts'
import { type Jobs, runJobs } from '../platform/jobs.ts'
import { createSecrets } from '../platform/secrets.ts'
import { originsOf } from '../wiring/products.ts'
import { startTelemetry } from '../wiring/telemetry.ts'
import { scriptOf } from '../wiring/whatsapp.ts'
import { wire } from '../wiring/wiring.ts'
import { createLogger } from './logger.ts'
import { listenerName, prepareDatabase, refuseOtherFiles } from './prepare-database.ts'

export type RunningServer = { url: string; stop(reason: string): Promise<void> }

/** The folder around the server's bundle; meaningless when the server runs from the sources. */
const builtFolder = fileURLToPath(new URL('../', import.meta.url))
const webFolder = join(builtFolder, 'web/')

/**
 * Starts everything in order: data folder, database, migrations, demo, services, jobs, listening. When a step fails, the
 * earlier ones are stopped in reverse order.
 *
 * @param onFatal called when a running server cannot continue
 * @param signal aborts the start after the current step
 * @throws StartupError for a problem that the operator can fix
 */
export async function startServer(
  config: Config,
  onFatal: (error: Error) => void,
  signal: AbortSignal,
): Promise<RunningServer> {
  const log = createLogger(config.logLevel)
  requireBucket(config)
  for (const name of config.unknownNames) log.warn({ name }, `there is no setting ${name}`)
  let isDraining = false
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  const started = async <T>(step: Promise<T>, close?: (value: T) => Promise<unknown>) => {
    const value = await step
    if (close) closers.push(() => close(value))
    signal.throwIfAborted()
    return value
  }
  try {
    const telemetry = await startTelemetry(config, log)
    const dataDir = await started(openDataFolder(config.dataDir))
    // The stand-ins of the demo start while PostgreSQL does.
    const [database, products, oidc, meta] = await settled([
      started(openDatabase(config, log, onFatal, { wait: signal }), ({ close }) => close()),
      config.demo ? started(demoProducts(config), ({ close }) => close()) : productsOf(config),
      config.demo ? started(demoOpenId(config), ({ close }) => close()) : config.auth.oidc,
      config.demo ? started(demoMeta(config), ({ close }) => close()) : config.meta,
    ])
    // Later than the others: its file is in the data folder, which may be another server's until the database is open.
    const airtable = config.demo
      ? await started(demoAirtable(config), ({ close }) => close())
      : airtableOf(config)
    const commits = watchCommits(database.url, log)
    closers.push(async () => commits.stop())
    const appSecret = config.appSecret ?? (await readOrCreateSecret(join(dataDir, APP_SECRET_FILE)))
    const { publicUrl, trustProxy, previewHosts } = config
    const auth = { ...config.auth, oidc }
    const mail = { ...config.mail, outbox: join(dataDir, 'outbox') }
    const place = { folder: dataDir, s3: config.s3 }
    const listener = config.databaseUrl ? await listenerName(place) : undefined
    const files = { ...place, listenerName: listener }
    // The order pictures of the demo are served by its Airtable sandbox.
    const demoOrigin = config.demo ? [new URL(airtable.apiUrl).origin] : []
    const outboundAllow = [...config.outboundAllow, ...demoOrigin]
    const { cloudinary } = config
    const backups = config.backups && {
      ...config.backups,
      ownerUrl: database.url,
      databasePassword: config.databaseUrl ? undefined : await readSecret(passwordFile(dataDir)),
      archive: database.archive,
      dataDir,
    }
    if (backups && (await makeKeyFile(backups.key))) {
      log.warn({}, 'a key of the back-ups was made: print its recovery sheet and confirm it')
    }
    const settings = {
      appSecret,
      publicUrl,
      airtable,
      auth,
      mail,
      files,
      cloudinary,
      products,
      meta,
      outboundAllow,
      builtFolder,
      backups,
      telemetry,
    }
    const roleKey = createSecrets(appSecret).key('database role')
    const { connection, wired, newDemo } = await started(
      prepareDatabase(database.url, log, async (owner) => {
        const url = await runtimeUrl(owner, database.url, roleKey, log)
        const pooler = await poolerOf(config, url, log)
        const runtime = connectDatabase(url, { pooler, watch: telemetry.watch })
        closers.push(runtime.close)
        if (!config.demo) await refuseDemoAccounts(runtime.db)
        const demoPharmacy = config.demo ? await seedDemo(runtime.db) : undefined
        const parts = await wire(runtime, settings, log)
        return { connection: runtime, wired: parts, newDemo: demoPharmacy }
      }),
      (prepared) => prepared.wired.close(),
    )
    if (listener) await started(refuseOtherFiles(connection.db, listener))
    if (newDemo !== undefined) {
      const demo = await import('../demo/demo.ts')
      await started(demo.seedDemoOffers(connection.db, wired, newDemo))
      const { seedDemoPriority } = await import('../demo/demo-priority.ts')
      await started(seedDemoPriority(connection.db, wired, newDemo))
      await started(demo.seedDemoAnalytics(connection.db, newDemo))
      log.info({}, 'demo made')
    }
    // Before jobs, which may send what was erased.
    await started(wired.applyErasures())
    const priority = config.demo
      ? await started(demoPriority(connection.db, wired.jobs, config))
      : undefined
    const jobs = priority?.jobs ?? wired.jobs
    await started(runJobs(connection.url, jobs, log, connection.sockets), (runner) => runner.stop())
    wired.start()
    const app = await started(
      buildApp(wired, {
        log,
        trustProxy,
        publicUrl,
        // Pictures that cannot be stored are shown from the provider.
        pictureOrigins: originsOf(products.productImageUrl),
        metaLogin: meta && scriptOf(meta),
        webFolder,
        previewHosts,
        isDraining: () => isDraining,
      }),
      (built) => built.close(),
    )
    const { host, port, metricsPort } = config
    if (telemetry.metrics && metricsPort !== undefined) {
      const listening = listenForMetrics(telemetry.metrics, { host, port: metricsPort })
      await started(
        listening.catch((error: unknown) => refused(error, 'METRICS_PORT', host, metricsPort)),
        ({ close }) => close(),
      )
    }
    await app.listen({ host, port }).catch((error: unknown) => refused(error, 'PORT', host, port))
    commits.stop()
    const url = urlOf(app, config)
    const accounts = config.demo ? await demoAccountsIn(connection.db) : []
    const shownDemo =
      accounts.length > 0
        ? { airtable: airtable.apiUrl, accounts, customerPath: priority?.customerPath }
        : undefined
    process.stdout.write(`${startupMessage(config, url, shownDemo)}\n`)
    return {
      url,
      async stop(reason) {
        log.info({ reason }, 'stopping')
        isDraining = true
        await pause(config.drainSeconds * 1_000)
        await stop()
        log.info({}, 'stopped')
      },
    }
  } catch (error) {
    await stop().catch((after: unknown) => log.error({ err: after }, 'could not clean up'))
    throw error
  }
}

/** Waits until every step is over, so that those that succeeded can be stopped when one fails. */
async function settled<const T extends readonly unknown[]>(
  steps: T,
): Promise<{ -readonly [N in keyof T]: Awaited<T[N]> }> {
  await Promise.allSettled(steps)
  return Promise.all(steps)
}

async function poolerOf({ databasePoolUrl }: Config, url: string, log: FastifyBaseLogger) {
  if (databasePoolUrl === undefined) return undefined
  const pooler = await openPooler(databasePoolUrl, url)
  if (!pooler.keepsStatements) {
    log.warn({}, 'the pooler keeps no prepared statements, so that each is planned every time')
  }
  return pooler
}

/** Without a token only bases with one of their own can be read. */
function airtableOf({ airtable: { apiUrl, token } }: Config) {
  return { apiUrl, token }
}

/** Imported dynamically: a production server does not load the demo. */
async function seedDemo(db: Database): Promise<string | undefined> {
  return (await import('../demo/demo.ts')).seedDemo(db)
}

async function demoPriority(db: Database, jobs: Jobs, { demoOrderEvery }: Config) {
  return (await import('../demo/demo-priority.ts')).startDemoPriority(db, jobs, demoOrderEvery > 0)
}

/** The configured Airtable, or else the demo's sandbox. */
async function demoAirtable(config: Config) {
  if (config.airtable.token) return { ...airtableOf(config), close: async () => {} }
  const { startDemoAirtable } = await import('../demo/demo.ts')
  const sandbox = await startDemoAirtable({
    dir: config.dataDir,
    orderEverySeconds: config.demoOrderEvery,
  })
  return { apiUrl: sandbox.url, token: sandbox.token, close: sandbox.close }
}

function productsOf({ productImageUrl, aiWebhookUrl, medicineRegisterUrl }: Config) {
  return { productImageUrl, aiWebhookUrl, medicineRegisterUrl }
}

/** The configured product services, or else the demo's sandboxes. */
async function demoProducts(config: Config) {
  const { startDemoProducts } = await import('../demo/demo.ts')
  const demo = await startDemoProducts()
  const {
    productImageUrl = demo.productImageUrl,
    aiWebhookUrl = demo.aiWebhookUrl,
    medicineRegisterUrl = demo.medicineRegisterUrl,
  } = config
  return { productImageUrl, aiWebhookUrl, medicineRegisterUrl, close: demo.close }
}

/** The configured identity provider, or else the demo's sandbox. */
async function demoOpenId({ auth, publicUrl }: Config) {
  if (auth.oidc) return { ...auth.oidc, close: async () => {} }
  const { startDemoOpenId } = await import('../demo/demo.ts')
  return startDemoOpenId(publicUrl)
}

/** The configured application at Meta, or else the demo's sandbox. */
async function demoMeta({ meta }: Config) {
  if (meta) return { ...meta, close: async () => {} }
  return (await import('../demo/demo.ts')).startDemoMeta()
}

/** @throws StartupError if the operator can do something about the error of listening */
function refused(error: unknown, setting: string, host: string, port: number): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const why: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop what uses it, or set ${setting} to another one.`,
    EACCES: `Port ${port} may not be used by this account: set ${setting} to another one, above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own.`,
    ENOTFOUND: `The name ${host} is not known: set HOST to an address of this machine.`,
  }
  const known = typeof code === 'string' ? why[code] : undefined
  throw known ? new StartupError(known, { cause: error }) : error
}

function urlOf(app: FastifyInstance, { port, publicUrl }: Config): string {
  const address = app.server.address()
  return port === 0 && isAddress(address) ? publicUrl.replace(/:0$/, `:${address.port}`) : publicUrl
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}

type Demo = {
  airtable: string
  accounts: readonly DemoAccount[]
  /** The path of the page of a customer with priority access. */
  customerPath: string | undefined
}

/**
 * The message printed when the server is ready, for the person who started it.
 *
 * @param demo the demo accounts and the URL of the demo's Airtable; undefined without a demo
 */
function startupMessage(config: Config, url: string, demo: Demo | undefined): string {
  const lines = ['', `  Bancone is ready: ${url}`, '']
  if (demo) {
    const width = Math.max(...demo.accounts.map((account) => account.email.length))
    lines.push(`  Demo accounts (password for all of them: ${demoPassword})`)
    for (const { email, who } of demo.accounts) lines.push(`    ${email.padEnd(width)}  ${who}`)
    lines.push(
      '',
      `  What customers of its first pharmacy see: ${url}${publicOffersPath(demoPharmacyCode)}`,
    )
    if (demo.customerPath !== undefined) {
      lines.push(`  To be a customer with priority access yourself: ${url}${demo.customerPath}`)
    }
    lines.push(`  The demo's Airtable answers on ${demo.airtable}`)
    if (!isLoopback(config.host)) {
      lines.push(
        '  Anyone who reaches this address can sign in with these accounts: for real use start with',
        '  DEMO=0 and another DATA_DIR.',
      )
    }
  }
  if (!config.mail.smtpUrl) {
    lines.push(`  Mails are not sent but written to ${join(config.dataDir, 'outbox')}`)
  }
  lines.push('  Ctrl-C stops it.', '')
  return lines.join('\n')
}
