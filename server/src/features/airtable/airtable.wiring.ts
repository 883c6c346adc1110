import {
  checkAirtableAccess,
  getAirtableLoad,
  getPharmacyAirtable,
  removeAirtableToken,
  setAirtableToken,
} from '@bancone/contract/airtable'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import { airtableTasks, enqueueRemovals, enqueueWebhookChecks } from './airtable-jobs.ts'
import { createAirtableLoad } from './airtable-load.store.ts'
import { createAirtableTokens } from './airtable-tokens.service.ts'
import { type AirtableTokensStore, fingerprintOf } from './airtable-tokens.store.ts'
import { createAirtableWebhooksStore } from './airtable-webhooks.store.ts'
import { pingRoutes } from './pings.routes.ts'
import { createWebhookCheck } from './webhook-check.ts'

type Dependencies = Context & {
  sealing: Sealing
  tokens: AirtableTokensStore
  /** Undefined: the application has no Airtable. */
  airtable:
    | {
        source: SourceWebhooks
        apiUrl: string
        token: string | undefined
        /** Whose a token is, if Airtable says it. */
        userOf(token: string): Promise<string | undefined>
      }
    | undefined
  publicUrl: string
  /** The base has changed, or may have. */
  onChanged(baseId: string, tx?: Database): Promise<void>
  /** The base has another token. */
  onToken(tx: Database, baseId: string): Promise<void>
  onRemoved(
    baseId: string,
    records: readonly { tableId: string; recordId: string }[],
  ): Promise<void>
}

/** Wires the tokens of Airtable bases, and the webhooks by which they report changes. */
export function wireAirtableBases(dependencies: Dependencies): AppModule {
  const { db, sealing, tokens, airtable, publicUrl, onChanged, onToken, onRemoved, clock, log } =
    dependencies
  const webhooks = createAirtableWebhooksStore(db, sealing)
  const isSandbox = airtable !== undefined && isOnThisMachine(airtable.apiUrl)
  // Airtable takes https only. A stand-in on this machine reaches the server without.
  const canReceive = airtable !== undefined && (publicUrl.startsWith('https:') || isSandbox)
  const check =
    airtable && canReceive
      ? createWebhookCheck({
          source: airtable.source,
          webhooks,
          hasToken: async (baseId) =>
            airtable.token !== undefined || (await tokens.find(baseId)) !== undefined,
          publicUrl,
          onUnsure: onChanged,
          clock,
          log,
        })
      : undefined
  const service = createAirtableTokens({
    db,
    tokens,
    webhooks,
    source: airtable?.source,
    onToken,
    hasServerToken: airtable?.token !== undefined,
    canReceive,
  })
  const load = createAirtableLoad(db, {
    keyId: sealing.keyId,
    serverFingerprint: airtable?.token === undefined ? undefined : fingerprintOf(airtable.token),
    async userOf(baseId) {
      const token = (await tokens.find(baseId)) ?? airtable?.token
      return token === undefined ? undefined : airtable?.userOf(token)
    },
  })

  async function receive(baseId: string, time: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await webhooks.pinged(tx, baseId, time))) return
      await onChanged(baseId, tx)
      await enqueueRemovals(tx, baseId)
    })
  }

  return {
    async routes({ app, serve }) {
      serve(getPharmacyAirtable, ({ params }) => service.get(params.pharmacyId))

      serve(setAirtableToken, ({ params, body }, _session, { signal }) =>
        service.set(params.pharmacyId, body.token, signal),
      )

      serve(removeAirtableToken, ({ params }) => service.remove(params.pharmacyId))

      serve(checkAirtableAccess, ({ params }, _session, { signal }) =>
        service.check(params.pharmacyId, signal),
      )

      serve(getAirtableLoad, load)

      await pingRoutes(app, { secretOf: webhooks.secretOf, receive })
    },
    tasks: airtable
      ? airtableTasks({ db, source: airtable.source, tokens, webhooks, check, onRemoved })
      : {},
    start() {
      if (!airtable) return
      // A stand-in that was started with the server has no webhooks yet.
      const prepared = isSandbox ? webhooks.checkSoon(db) : Promise.resolve()
      prepared
        .then(() => enqueueWebhookChecks(db))
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the webhooks of Airtable are not looked after'),
        )
    },
  }
}

function isOnThisMachine(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)
}
