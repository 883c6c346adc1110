import { randomInt } from 'node:crypto'
import { type WhatsAppStep, whatsAppPaths } from '@bancone/contract/whatsapp'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { type NumberHealth, WhatsAppBusinessError } from '../../ports/whatsapp-business.ts'
import type { CheckResult } from './connection-events.store.ts'
import type { StoredConnection } from './connections.store.ts'
import { enqueueTemplates } from './messages/message-settings.store.ts'
import type { MetaApplication, WhatsAppContext } from './whatsapp.context.ts'
import {
  dueExpiryNotice,
  hasPermissions,
  needsRegistration,
  type Problem,
  problemKindOf,
  stateOfNumber,
  stateOfProblem,
} from './whatsapp.rules.ts'

/** A step has failed, and those after it cannot be done. */
class StepFailed extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.step)
    this.problem = problem
  }
}

export type CheckConnection = (pharmacyId: string) => Promise<void>

/**
 * Checks a connection step by step and completes what is missing: the number, its registration, the subscription to its
 * events. Every step can be repeated, so the same function finishes a new connection and checks an old one. The result
 * is stored, with the first step that failed.
 */
export function createCheck(
  context: WhatsAppContext,
  { business, verifyToken }: Pick<MetaApplication, 'business' | 'verifyToken'>,
): CheckConnection {
  const { connections, connectionEvents, sealing, settings, outbox, publicUrl, clock } = context
  /** Where Meta sends events. */
  const callback = { url: publicUrl + whatsAppPaths.webhook, verifyToken }

  /** What waited for the connection is sent; Meta may have changed the templates meanwhile. */
  async function onConnected(tx: Database, pharmacyId: string): Promise<void> {
    await outbox.wake(
      tx,
      pharmacyId,
      ['connection', 'quality', 'payment', 'name', 'registration'],
      clock.now(),
    )
    const { isOn } = await settings.load(tx, pharmacyId)
    if (isOn) await enqueueTemplates(tx, pharmacyId)
  }

  async function findNumber(stored: StoredConnection, wabaId: string, token: string) {
    if (stored.phoneNumberId !== null) return stored.phoneNumberId
    const [first] = await step('number', () => business.numbers(token, wabaId))
    if (!first) return undefined
    await connections
      .setNumber(stored.pharmacyId, stored.revision, first.id)
      .catch((error: unknown) => {
        // Another pharmacy has it.
        throw error instanceof AppError
          ? new StepFailed({ step: 'number', kind: 'refused' })
          : error
      })
    return first.id
  }

  async function register(stored: StoredConnection, token: string, numberId: string) {
    const { pharmacyId, revision, keyId } = stored
    let pin = sealing.open(pharmacyId, 'pin', stored.pin, keyId)
    if (pin === undefined) {
      pin = String(randomInt(1_000_000)).padStart(6, '0')
      await connections.setPin(pharmacyId, revision, sealing.seal(pharmacyId, 'pin', pin))
    }
    await business.register(token, numberId, pin)
  }

  async function examine(stored: StoredConnection, result: CheckResult): Promise<void> {
    const { pharmacyId, wabaId } = stored
    const token = sealing.open(pharmacyId, 'token', stored.token, stored.keyId)
    if (token === undefined) throw new StepFailed({ step: 'authorization', kind: 'expired' })
    const facts = await step('authorization', () => business.inspect(token))
    if (!facts.isValid) throw new StepFailed({ step: 'authorization', kind: 'expired' })
    result.expiresAt = facts.expiresAt
    if (!hasPermissions(facts) || wabaId === null)
      throw new StepFailed({ step: 'permissions', kind: 'permission' })
    result.accountName = (await step('account', () => business.account(token, wabaId))).name

    const numberId = await findNumber(stored, wabaId, token)
    let health: NumberHealth | undefined
    let problem: Problem | undefined
    if (numberId !== undefined) {
      const readHealth = () => step('health', () => business.health(token, numberId))
      health = await readHealth()
      if (needsRegistration(health)) {
        problem = await attempt('registration', () => register(stored, token, numberId))
        if (!problem) health = await readHealth()
      }
      result.health = health
    }
    // A number that is not registered yet is subscribed to all the same: Meta's events tell when it is.
    const unsubscribed = await attempt('subscription', () =>
      business.subscribe(token, wabaId, callback),
    )
    if (!unsubscribed) result.isSubscribed = true
    result.problem = problem ?? unsubscribed ?? null
    result.state = health
      ? stateOfNumber(health, stored.isSubscribed || !unsubscribed)
      : 'pending_number'
    // A refusal because of the token or of a restriction is a state of its own.
    if (result.problem) result.state = stateOfProblem(result.problem, result.state)
  }

  return async (pharmacyId) => {
    const stored = await connections.load(pharmacyId)
    if (!stored || stored.token === null) return
    const result: CheckResult = { state: stored.state, problem: null }
    try {
      await examine(stored, result)
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error
      result.problem = error.problem
      result.state = stateOfProblem(error.problem, stored.state)
    }
    await connectionEvents.saveCheck(pharmacyId, stored.revision, result, onConnected)
    await notifyOfExpiry(stored, result)
  }

  async function notifyOfExpiry(stored: StoredConnection, { expiresAt }: CheckResult) {
    const { pharmacyId, expiryToldDays } = stored
    const days = dueExpiryNotice(expiresAt ?? null, expiryToldDays, clock.now())
    if (days !== undefined) await connectionEvents.notifyOfExpiry(pharmacyId, days)
  }
}

async function step<T>(name: WhatsAppStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WhatsAppBusinessError)
      throw new StepFailed({ step: name, kind: problemKindOf(error.kind) })
    throw error
  }
}

/** @returns the problem, if the step has failed */
async function attempt(name: WhatsAppStep, work: () => Promise<void>) {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof WhatsAppBusinessError)
      return { step: name, kind: problemKindOf(error.kind) }
    throw error
  }
}
