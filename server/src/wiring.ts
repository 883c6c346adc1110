import { paths } from '@bancone/contract/pages'
import type { FastifyBaseLogger } from 'fastify'
import { createAirtableOrders } from './adapters/airtable/airtable-orders.ts'
import { createMailOutbox } from './adapters/mail-outbox/mail-outbox.ts'
import type { Services } from './app.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/database.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { createOrderChangesStore, PUSH_TASK } from './features/orders/order-changes.store.ts'
import { createOrderCopyStore } from './features/orders/order-copy.store.ts'
import { type CopyTiming, createOrderCopy } from './features/orders/order-copy.ts'
import { createOrderPush, orderPushJob } from './features/orders/order-push.ts'
import { createOrders } from './features/orders/orders.service.ts'
import { createOrdersStore } from './features/orders/orders.store.ts'
import { createPharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { createSessions } from './http/session.ts'
import { createAudit } from './platform/audit.ts'
import { createAuth } from './platform/auth/auth.service.ts'
import { AuthError } from './platform/auth/auth-error.ts'
import { type AuthLimitName, authLimits } from './platform/auth/auth-limits.ts'
import type { Jobs } from './platform/jobs.ts'
import { createRateLimits, type Limit } from './platform/rate-limits.ts'
import { createSecrets } from './platform/secrets.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import type { Mailer } from './ports/mailer.ts'

export type Settings = {
  appSecret: string
  publicUrl: string
  /** Undefined: no pharmacy's orders can be read from Airtable. */
  airtable: { apiUrl: string; token: string } | undefined
  auth: Config['auth']
  mail: { smtpUrl: string | undefined; from: string; outbox: string }
  /** Other waits than the usual ones. */
  timing?: { copy?: Partial<CopyTiming>; pushPatience?: number } | undefined
  /** Other limits than the usual ones. */
  limits?: Partial<Record<AuthLimitName, Limit>>
  clock?: Clock
}

export type Wired = { services: Services; jobs: Jobs; close(): Promise<void> }

/** The composition root: the only place that knows which adapter stands behind which port. */
export async function wire(
  { db, pool }: DatabaseConnection,
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
  const sessions = createSessions({
    subject: auth.sessions.subject,
    isAlive: auth.sessions.isAlive,
    account: pharmacies.account,
    isRefusal: (error) => error instanceof AuthError,
  })

  const source = settings.airtable ? createAirtableOrders(settings.airtable) : null
  const changes = createOrderChangesStore(db)
  const push = createOrderPush({ changes, source, log })
  const copy = createOrderCopy({
    store: createOrderCopyStore(db),
    source,
    onAnswered: push.pushWaiting,
    clock,
    log,
    timing: settings.timing?.copy ?? {},
  })
  const orders = createOrders({
    store: createOrdersStore(db),
    changes,
    copy,
    push,
    clock,
    pushPatience: settings.timing?.pushPatience,
  })

  return {
    services: {
      auth,
      sessions,
      orders,
      pharmacies,
      administrators,
      isReady: async () => {
        await db.selectFrom('schema_migrations').select('name').limit(1).execute()
        return true
      },
    },
    jobs: { ...jobs, tasks: { ...jobs.tasks, [PUSH_TASK]: orderPushJob(push) } },
    async close() {
      mailer.close()
      await copy.settle()
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
