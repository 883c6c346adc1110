import type { PushSubscription } from '@bancone/contract/notifications'
import PQueue from 'p-queue'
import { AppError } from '../../app-error.ts'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'
import { tooManyAs } from '../../too-many.ts'
import { type Outcome, pauseAfter } from './notifications.rules.ts'
import type { DueDevice, PushDevicesStore } from './push-devices.store.ts'
import type { PushKeys } from './push-keys.ts'
import { areDeviceKeys, type PushSender } from './push-sender.ts'

export const notificationLimits = {
  // Of a pharmacy, on all its devices.
  'notification-test': { points: 10, seconds: 60 },
} as const satisfies Record<string, Limit>

export type NotificationLimitName = keyof typeof notificationLimits

/** Devices that this process sends to at once. */
const AT_ONCE = 8

/** Milliseconds a round takes devices: the end of the process waits for its jobs. */
const PATIENCE_MS = 5_000

type Dependencies = {
  devices: PushDevicesStore
  keys: PushKeys
  sender: PushSender
  limits: RateLimits<NotificationLimitName>
  /** Whether an address of a push service is one that we would go to. */
  allows(url: string): boolean
}

type Caller = { sessionId: string; pharmacy: { id: string } }

export type NotificationsService = ReturnType<typeof createNotifications>

/** Tells devices of new orders, with the page closed (Web Push). */
export function createNotifications(dependencies: Dependencies) {
  const { devices, keys, sender, limits } = dependencies
  const queue = new PQueue({ concurrency: AT_ONCE })

  async function tellOne(device: DueDevice, attempts: number, round: AbortSignal): Promise<void> {
    const message = { kind: 'new-orders' as const, count: device.unseen }
    const outcome: Outcome = round.aborted
      ? { kind: 'later', after: null }
      : await sender.send(device, message)
    // What was sent is noted after it was: a process that dies between the two tells twice, not never.
    if (outcome.kind === 'later') {
      const pause = pauseAfter(attempts + 1, outcome.after)
      if (pause === null) await devices.refused(device)
      else await devices.tellLater(device, attempts + 1, pause)
    } else if (outcome.kind === 'delivered') await devices.delivered(device)
    else if (outcome.kind === 'refused') await devices.refused(device)
    else await devices.remove(device.id)
  }

  /** @param ending the end of the process is near: no further device is begun with */
  async function tellAll(due: DueDevice[], attempts: number, ending?: AbortSignal): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const round = ending ? AbortSignal.any([patience, ending]) : patience
    await queue.addAll(due.map((device) => () => tellOne(device, attempts, round)))
  }

  return {
    async publicKey(): Promise<string> {
      return (await keys.load()).publicKey
    },

    async subscribe({ sessionId, pharmacy }: Caller, device: PushSubscription): Promise<void> {
      if (!areDeviceKeys(device.keys) || !dependencies.allows(device.endpoint)) {
        throw new AppError('request.invalid')
      }
      const outcome = await devices.subscribe(pharmacy.id, sessionId, device)
      if (outcome === 'too_many') throw new AppError('notifications.too_many')
      if (outcome === 'session_ended') throw new AppError('session.missing')
    },

    async unsubscribe({ pharmacy }: Caller, endpoint: string): Promise<void> {
      await devices.unsubscribe(pharmacy.id, endpoint)
    },

    /** Sends at once, and says what came of it. */
    async test({ pharmacy }: Caller, endpoint: string): Promise<void> {
      await limits
        .take({ limit: 'notification-test', of: pharmacy.id })
        .catch(tooManyAs('notifications.too_many'))
      const device = await devices.find(pharmacy.id, endpoint)
      if (!device) throw new AppError('notifications.not_subscribed')
      const outcome = await sender.send(device, { kind: 'test', count: device.unseen })
      if (outcome.kind === 'delivered') return
      if (outcome.kind !== 'gone') throw new AppError('notifications.undeliverable')
      await devices.remove(device.id)
      throw new AppError('notifications.not_subscribed')
    },

    /**
     * Tells every device of the pharmacy that was not told of the newest arrivals. May be repeated: who
     * was told is not told again. A device that cannot be reached is left to a job of its own.
     */
    async tell(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      await tellAll(await devices.due({ pharmacyId }), 0, signal)
    },

    /** The same for one device that could not be reached so many times. */
    async tellDevice(deviceId: string, attempts: number, signal?: AbortSignal): Promise<void> {
      await tellAll(await devices.due({ deviceId }), attempts, signal)
    },
  }
}
