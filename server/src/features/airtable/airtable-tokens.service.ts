import type { AirtableAccess, PharmacyAirtable } from '@bancone/contract/airtable'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import { type AirtableTokensStore, baseOf } from './airtable-tokens.store.ts'
import type { AirtableWebhooksStore, WebhookState } from './airtable-webhooks.store.ts'

type Dependencies = {
  db: Database
  tokens: AirtableTokensStore
  webhooks: AirtableWebhooksStore
  /** Undefined: the application has no Airtable. */
  source: Pick<SourceWebhooks, 'access'> | undefined
  /** The base has another token: what could not be read may be readable. */
  onToken(tx: Database, baseId: string): Promise<void>
  hasServerToken: boolean
  canReceive: boolean
}

const notConfigured: AirtableAccess = {
  problem: 'not_configured',
  canReadSchema: false,
  canManageWebhooks: false,
}

/** The tokens of pharmacies' bases, for administrators. */
export function createAirtableTokens(dependencies: Dependencies) {
  const { db, tokens, webhooks, source, hasServerToken, canReceive } = dependencies

  async function shown(pharmacyId: string): Promise<PharmacyAirtable> {
    const { location, otherPharmacies } = await baseOf(db, pharmacyId)
    const own = location && (await tokens.state(location.baseId))
    const webhook = location && (await webhooks.state(location.baseId))
    return {
      baseId: location?.baseId ?? null,
      token: {
        origin: own?.isReadable ? 'own' : hasServerToken ? 'server' : 'none',
        setAt: own?.setAt ?? null,
        isReadable: own?.isReadable ?? true,
      },
      otherPharmacies,
      webhook: {
        state: canReceive ? shownState(webhook?.state) : 'off',
        pingedAt: webhook?.pingedAt ?? null,
        expiresAt: webhook?.expiresAt ?? null,
      },
    }
  }

  async function located(pharmacyId: string): Promise<SourceLocation> {
    const { location } = await baseOf(db, pharmacyId)
    if (!location) throw new AppError('orders.not_on_airtable')
    return location
  }

  async function change(
    pharmacyId: string,
    baseId: string,
    write: (tx: Database) => Promise<void>,
  ): Promise<PharmacyAirtable> {
    await db.transaction().execute(async (tx) => {
      await write(tx)
      // With the other token there may be a webhook now, or none any more.
      await webhooks.checkSoon(tx, baseId)
      await dependencies.onToken(tx, baseId)
    })
    return shown(pharmacyId)
  }

  async function access(location: SourceLocation, token: string | undefined, signal: AbortSignal) {
    return source ? source.access(location, token, signal) : notConfigured
  }

  return {
    get: shown,

    async check(pharmacyId: string, signal: AbortSignal) {
      return access(await located(pharmacyId), undefined, signal)
    },

    /** Stores a token for the base with which it was tried, if it can read the pharmacy's table there. */
    async set(pharmacyId: string, token: string, signal: AbortSignal) {
      const location = await located(pharmacyId)
      const { baseId } = location
      const checked = await access(location, token, signal)
      if (checked.problem !== null) return { check: checked, airtable: await shown(pharmacyId) }
      if ((await located(pharmacyId)).baseId !== baseId) {
        throw new AppError('pharmacies.changed_meanwhile')
      }
      const airtable = await change(pharmacyId, baseId, (tx) =>
        tokens.set(tx, pharmacyId, baseId, token),
      )
      return { check: checked, airtable }
    },

    async remove(pharmacyId: string) {
      const { baseId } = await located(pharmacyId)
      return change(pharmacyId, baseId, (tx) => tokens.remove(tx, pharmacyId, baseId))
    },
  }
}

function shownState(state: WebhookState = 'new') {
  return state === 'new' ? 'starting' : state
}
