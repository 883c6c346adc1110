import type { PushSubscription } from '@bancone/contract/notifications'
import PQueue from 'p-queue'
import { AppError } from '../../base/app-error.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import { type Outcome, pauseAfter } from './notifications.rules.ts'
import type { DueDevice, PushDevicesStore } from './push-devices.store.ts'
import { areDeviceKeys, type PushSender } from './push-sender.ts'

export const notificationLimits = {
  // Per pharmacy, over all its devices.
  'notification-test': { points: 10, seconds: 60 },
} as const satisfies Record<string, Limit>

/** Concurrent pushes of this process. */
const AT_ONCE = 8

/** Milliseconds in which a run starts pushes: the shutdown of the process waits for its jobs. */
const PATIENCE_MS = 5_000

type Dependencies = {
  devices: PushDevicesStore
  sender: PushSender
  limits: RateLimits<keyof typeof notificationLimits>
  /** Whether the URL of a push service may be requested. */
  allows(url: string): boolean
}

type Caller = { sessionId: string; pharmacy: { id: string } }

export type NotificationsService = ReturnType<typeof createNotifications>

/** Notifies devices of new orders and of customers who arrived by Web Push, also while the page is closed. */
export function createNotifications(dependencies: Dependencies) {
  const { devices, sender, limits } = dependencies
  const queue = new PQueue({ concurrency: AT_ONCE })

  async function notifyOne(device: DueDevice, attempts: number, round: AbortSignal): Promise<void> {
    const message = { kind: device.kind, count: device.count }
    const outcome: Outcome = round.aborted
      ? { kind: 'later', after: null }
      : await sender.send(device, message)
    // Recorded after the push: a process that crashes in between notifies twice, but never zero times.
    if (outcome.kind === 'later') {
      const pause = pauseAfter(attempts + 1, outcome.after)
      if (pause === null) await devices.refused(device)
      else await devices.enqueueRetry(device, attempts + 1, pause)
    } else if (outcome.kind === 'delivered') await devices.delivered(device)
    else if (outcome.kind === 'refused') await devices.refused(device)
    else await devices.remove(device.pharmacyId, device.id)
  }

  return {
    async subscribe({ sessionId, pharmacy }: Caller, device: PushSubscription): Promise<void> {
      if (!areDeviceKeys(device.keys) || !dependencies.allows(device.endpoint)) {
        throw new AppError('request.invalid')
      }
      await devices.subscribe(pharmacy.id, sessionId, device)
    },

    /** Sends a test notification at once and throws when it fails. */
    async test({ pharmacy }: Caller, endpoint: string): Promise<void> {
      await limits
        .take({ limit: 'notification-test', subject: pharmacy.id })
        .catch(rethrowRateLimitAs('notifications.too_many'))
      const device = await devices.find(pharmacy.id, endpoint)
      if (!device) throw new AppError('notifications.not_subscribed')
      const outcome = await sender.send(device, { kind: 'test', count: device.unseen })
      if (outcome.kind === 'delivered') return
      if (outcome.kind !== 'gone') throw new AppError('notifications.undeliverable')
      await devices.remove(pharmacy.id, device.id)
      throw new AppError('notifications.not_subscribed')
    },

    /**
     * Notifies every device of the pharmacy, or the given one, that was not notified of the newest arrivals. Idempotent: a
     * device is not notified twice of the same. A device that cannot be reached gets a retry job.
     *
     * @param attempts number of failed attempts so far
     * @param ending aborted when the process shuts down: no further push is started
     */
    async notify(
      of: { pharmacyId: string; deviceId?: string },
      attempts = 0,
      ending?: AbortSignal,
    ): Promise<void> {
      const due = await devices.due(of)
      const patience = AbortSignal.timeout(PATIENCE_MS)
      const round = ending ? AbortSignal.any([patience, ending]) : patience
      await queue.addAll(due.map((device) => () => notifyOne(device, attempts, round)))
    },
  }
}
