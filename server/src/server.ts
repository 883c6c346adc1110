import { access, constants, mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { announce } from './announce.ts'
import { buildApp } from './app.ts'
import { keptSecret } from './app-secret.ts'
import type { Config } from './config.ts'
import { connectDatabase, type DatabaseConnection } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { createLogger } from './logger.ts'
import { prepareJobs, runJobs } from './platform/jobs.ts'
import { StartupError } from './startup-error.ts'
import { wire } from './wiring.ts'

export type RunningServer = { url: string; stop(reason: string): Promise<void> }

/** Beside the bundle of the server; absent when run from the sources. */
const webFolder = fileURLToPath(new URL('../web/', import.meta.url))

/**
 * Starts everything in order: folder, database, migrations, demo, services, jobs, listening. What was
 * started is stopped again, in the opposite order, when a later step fails.
 *
 * @param onFatal called when the server cannot go on, after it ran
 * @throws StartupError for what the person who starts it can mend
 */
export async function startServer(
  config: Config,
  onFatal: (error: Error) => void,
): Promise<RunningServer> {
  const log = createLogger(config.logLevel)
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    await ensureFolder(config.dataDir)
    const database = await openDatabase(config, log, onFatal)
    closers.push(database.close)
    const databaseUrl = database.url
    await migrate(databaseUrl, log)
    await prepareJobs(databaseUrl, log)
    const connection = connectDatabase(databaseUrl)
    closers.push(connection.close)

    const demo = config.demo ? await startDemo(config, connection, log, closers) : undefined
    const airtable = demo?.airtable ?? airtableOf(config)
    const appSecret = config.appSecret ?? (await keptSecret(config.dataDir))
    const { publicUrl } = config
    const { services, tasks, copy } = await wire(
      connection,
      { appSecret, publicUrl, airtable },
      log,
    )
    closers.push(copy.settle)
    const jobs = await runJobs(databaseUrl, tasks, log)
    closers.push(jobs.stop)

    const app = await buildApp(services, {
      log,
      trustProxy: config.trustProxy,
      publicUrl,
      webFolder,
    })
    closers.push(() => app.close())
    const url = await listen(app, config)
    process.stdout.write(`${announce(config, url, demo?.announced)}\n`)
    return {
      url,
      async stop(reason) {
        log.info({ reason }, 'stopping')
        await stop()
        log.info({}, 'stopped')
      },
    }
  } catch (error) {
    await stop().catch((after: unknown) => log.error({ err: after }, 'could not clean up'))
    throw error
  }
}

async function ensureFolder(folder: string): Promise<void> {
  try {
    // Others may pass through, but not look: as root the database runs under another account.
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new StartupError(
      `The data folder ${folder} cannot be made or written (${why}): set DATA_DIR to one that can.`,
      { cause: error },
    )
  }
}

function airtableOf({ airtable }: Config) {
  return airtable.token ? { apiUrl: airtable.apiUrl, token: airtable.token } : undefined
}

/** The demo's accounts, and its Airtable unless another one is configured. */
async function startDemo(
  config: Config,
  { db }: DatabaseConnection,
  log: Logger,
  closers: (() => Promise<unknown>)[],
) {
  const { demoAccounts, demoPassword, seedDemo, startDemoAirtable } = await import('./demo.ts')
  if (await seedDemo(db)) log.info({}, 'demo accounts made')
  const configured = airtableOf(config)
  const announced = { accounts: demoAccounts, password: demoPassword }
  if (configured) return { announced: { ...announced, airtable: configured.apiUrl } }
  const sandbox = await startDemoAirtable({
    dir: config.dataDir,
    orderEverySeconds: config.demoOrderEvery,
  })
  closers.push(() => sandbox.close())
  return {
    airtable: { apiUrl: sandbox.url, token: sandbox.token },
    announced: { ...announced, airtable: sandbox.url },
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why: Record<string, string> = {
      EADDRINUSE: `Port ${port} of ${host} is in use: stop what uses it, or set PORT to another one.`,
      EACCES: `Port ${port} may not be used by this account: set PORT to another one, above 1023.`,
      EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own.`,
      ENOTFOUND: `The name ${host} is not known: set HOST to an address of this machine.`,
    }
    const known = typeof code === 'string' ? why[code] : undefined
    throw known ? new StartupError(known, { cause: error }) : error
  }
  const address = app.server.address()
  return port === 0 && isAddress(address)
    ? config.publicUrl.replace(/:0$/, `:${address.port}`)
    : config.publicUrl
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
