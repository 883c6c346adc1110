import type { ErrorCode } from '@bancone/contract/errors'
import type { WhatsAppConnection } from '@bancone/contract/whatsapp'
import { AppError } from '../../base/app-error.ts'
import { rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import {
  type BusinessAccount,
  type BusinessNumber,
  type WhatsAppBusiness,
  WhatsAppBusinessError,
} from '../../ports/whatsapp-business.ts'
import type { WhatsAppContext } from './whatsapp.context.ts'
import { hasPermissions } from './whatsapp.rules.ts'
import type { CheckConnection } from './whatsapp-check.ts'

/** The most accounts in which a number is looked for. */
const MAX_ACCOUNTS = 20

type Ids = { wabaId?: string | undefined; phoneNumberId?: string | undefined }
type Current = { connection: WhatsAppConnection }

export type WhatsAppService = ReturnType<typeof createWhatsApp>

/** Connects, checks and disconnects the number of a pharmacy. */
export function createWhatsApp(
  { connections, sealing, limits, log }: WhatsAppContext,
  business: WhatsAppBusiness,
  check: CheckConnection,
) {
  const takeAttempt = (pharmacyId: string) =>
    limits
      .take({ limit: 'whatsapp-attempts', subject: pharmacyId })
      .catch(rethrowRateLimitAs('whatsapp.too_many'))

  /** A step before anything is stored: its failure is the failure of the call. */
  async function step<T>(code: ErrorCode, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof WhatsAppBusinessError)) throw error
      log.warn({ err: error, step: code }, 'a WhatsApp number was not connected')
      throw new AppError(error.kind === 'permission' ? 'whatsapp.permissions_missing' : code)
    }
  }

  async function current(pharmacyId: string): Promise<Current> {
    const connection = await connections.get(pharmacyId)
    if (!connection) throw new AppError('whatsapp.not_connected')
    return { connection }
  }

  /** The account with the number, of which the window may have told the number alone; the first without a number. */
  async function findAccount(
    token: string,
    wabaIds: readonly string[],
    phoneNumberId: string | undefined,
  ) {
    let found: { account: BusinessAccount; numbers: BusinessNumber[] } | undefined
    for (const wabaId of wabaIds.slice(0, MAX_ACCOUNTS)) {
      // Reading the account proves that the token may use it: tokens for the Business app name no accounts.
      const account = await step('whatsapp.account_unreadable', business.account(token, wabaId))
      const numbers = await step('whatsapp.numbers_unreadable', business.numbers(token, wabaId))
      found ??= { account, numbers }
      if (phoneNumberId === undefined || numbers.some(({ id }) => id === phoneNumberId))
        return { account, numbers }
    }
    if (!found) throw new AppError('whatsapp.account_missing')
    return found
  }

  /** Stores the connection and completes it. @returns the account */
  async function connect(pharmacyId: string, token: string, ids: Ids) {
    const facts = await step('whatsapp.token_refused', business.inspect(token))
    if (!facts.isValid) throw new AppError('whatsapp.token_refused')
    if (!hasPermissions(facts)) throw new AppError('whatsapp.permissions_missing')
    const wabaIds = ids.wabaId === undefined ? facts.accountIds : [ids.wabaId]
    const { account, numbers } = await findAccount(token, wabaIds, ids.phoneNumberId)
    const before = await connections.load(pharmacyId)
    const number = chosen(numbers, ids.phoneNumberId, before?.phoneNumberId)
    await connections.connect(pharmacyId, {
      waba_id: account.id,
      account_name: account.name,
      phone_number_id: number?.id ?? null,
      display_phone_number: number?.displayPhoneNumber ?? null,
      verified_name: number?.verifiedName ?? null,
      meta_user_id: facts.userId,
      token: sealing.seal(pharmacyId, 'token', token),
      key_id: sealing.keyId,
      expires_at: facts.expiresAt,
    })
    await check(pharmacyId)
    return account
  }

  return {
    /** The code is exchanged first: it is valid for 30 seconds, and once. */
    async exchange(pharmacyId: string, { code, ...ids }: Ids & { code: string }) {
      await takeAttempt(pharmacyId)
      const token = await step('whatsapp.exchange_failed', business.exchange(code))
      const account = await connect(pharmacyId, token, ids)
      const name = account.name ?? account.id
      return {
        user: {
          name: account.ownerName ?? name,
          accounts: { data: [{ id: account.id, name }] },
        },
        ...(await current(pharmacyId)),
      }
    },

    async connectManually(
      pharmacyId: string,
      { token, ...ids }: Required<Ids> & { token: string },
    ): Promise<Current> {
      await takeAttempt(pharmacyId)
      await connect(pharmacyId, token, ids)
      return current(pharmacyId)
    },

    async check(pharmacyId: string): Promise<Current> {
      await takeAttempt(pharmacyId)
      const { connection } = await current(pharmacyId)
      if (connection.state === 'disconnected') throw new AppError('whatsapp.not_connected')
      await check(pharmacyId)
      return current(pharmacyId)
    },

    /** The token is forgotten also when Meta cannot be told. */
    async disconnect(pharmacyId: string): Promise<Current> {
      const before = await connections.disconnect(pharmacyId)
      if (!before) throw new AppError('whatsapp.not_connected')
      const token = sealing.open(pharmacyId, 'token', before.token, before.keyId)
      const { wabaId } = before
      // Events of the account are still of use to another pharmacy with a number of it.
      if (token !== undefined && wabaId && !(await connections.isShared(wabaId, pharmacyId))) {
        await business.unsubscribe(token, wabaId).catch((error: unknown) => {
          log.warn({ err: error }, 'a WhatsApp subscription was not ended')
        })
      }
      return current(pharmacyId)
    },
  }
}

/** The number that was chosen, or the one that was connected before, or the first. */
function chosen(
  numbers: readonly BusinessNumber[],
  wanted: string | undefined,
  before: string | null | undefined,
): BusinessNumber | undefined {
  const withId = (id: string | null | undefined) => numbers.find((number) => number.id === id)
  if (wanted === undefined) return withId(before) ?? numbers[0]
  const found = withId(wanted)
  if (!found) throw new AppError('whatsapp.numbers_unreadable')
  return found
}
