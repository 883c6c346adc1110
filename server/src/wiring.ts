import type { FastifyBaseLogger } from 'fastify'
import { createAirtableOrders } from './adapters/airtable/airtable-orders.ts'
import type { Services } from './app.ts'
import type { DatabaseConnection } from './database/database.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { createOrderChangesStore, PUSH_TASK } from './features/orders/order-changes.store.ts'
import { createOrderCopyStore } from './features/orders/order-copy.store.ts'
import { type CopyTiming, createOrderCopy, type OrderCopy } from './features/orders/order-copy.ts'
import { createOrderPush, orderPushJob } from './features/orders/order-push.ts'
import { createOrders } from './features/orders/orders.service.ts'
import { createOrdersStore } from './features/orders/orders.store.ts'
import { createPharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import { createSessions } from './http/session.ts'
import { createAuth } from './platform/auth/auth.service.ts'
import { createAuthStore } from './platform/auth/auth.store.ts'
import { AuthError } from './platform/auth/auth-error.ts'
import { loadSigningKeys } from './platform/auth/signing-keys.ts'
import type { Task } from './platform/jobs.ts'
import { createSecrets } from './platform/secrets.ts'
import { systemClock } from './ports/clock.ts'

export type Settings = {
  appSecret: string
  publicUrl: string
  /** Undefined: no pharmacy's orders can be read from Airtable. */
  airtable: { apiUrl: string; token: string } | undefined
  /** Other waits than the usual ones. */
  timing?: { copy?: Partial<CopyTiming>; pushPatience?: number } | undefined
}

export type Wired = { services: Services; tasks: Record<string, Task>; copy: OrderCopy }

/** The composition root: the only place that knows which adapter stands behind which port. */
export async function wire(
  { db }: DatabaseConnection,
  settings: Settings,
  log: FastifyBaseLogger,
): Promise<Wired> {
  const clock = systemClock
  const secrets = createSecrets(settings.appSecret)
  const keys = await loadSigningKeys(db, secrets, {
    issuer: `${settings.publicUrl}/auth/v1`,
    audience: 'authenticated',
  })
  const pharmacies = createPharmaciesStore(db)
  const auth = createAuth({
    store: createAuthStore(db),
    keys,
    refreshKey: secrets.key('refresh tokens'),
    clock,
    onSessionEnded: (sessionId) => sessions.forget(sessionId),
  })
  const sessions = createSessions({
    subject: auth.subject,
    isAlive: auth.isAlive,
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
      administrators: createAdministratorsStore(db),
      isReady: async () => {
        await db.selectFrom('schema_migrations').select('name').limit(1).execute()
        return true
      },
    },
    tasks: { [PUSH_TASK]: orderPushJob(push) },
    copy,
  }
}
