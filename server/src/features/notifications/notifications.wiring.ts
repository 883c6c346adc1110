import { z } from 'zod'
import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { vapidSubject } from './notifications.rules.ts'
import { createNotifications, notificationLimits } from './notifications.service.ts'
import { NOTIFY_TASK } from './push-arrivals.store.ts'
import { createPushDevicesStore, NOTIFY_DEVICE_TASK } from './push-devices.store.ts'
import { createPushKeys, type PushKeys } from './push-keys.store.ts'
import { createPushSender } from './push-sender.ts'

const OfPharmacy = z.object({ pharmacyId: z.string() })
const OfDevice = z.object({
  pharmacyId: z.uuid(),
  deviceId: z.string(),
  attempts: z.number().int(),
})

type Dependencies = Context & {
  outbound: Outbound
  publicUrl: string
  /** The sender of the application's mails: the contact for push services if `publicUrl` cannot be. */
  mailFrom: string
}

/** Wires the notifications of devices. */
export function wireNotifications(dependencies: Dependencies): AppModule & { keys: PushKeys } {
  const { db, secrets, outbound, limits, publicUrl, mailFrom, log } = dependencies
  const keys = createPushKeys(db, secrets)
  const subject = vapidSubject(publicUrl, mailFrom)
  const devices = createPushDevicesStore(db)
  const notifications = createNotifications({
    devices,
    sender: createPushSender({ keys, outbound, subject, log }),
    limits: limits(notificationLimits),
    allows: outbound.allows,
  })
  return {
    keys,
    routes: ({ serve }) => notificationRoutes(serve, { notifications, devices, keys }),
    // They read what is due when they run: a redundant job does no harm, and one job covers several arrivals.
    tasks: {
      [NOTIFY_TASK]: {
        lane: 'delivery',
        run: (payload, signal) => notifications.notify(OfPharmacy.parse(payload), 0, signal),
      },
      [NOTIFY_DEVICE_TASK]: {
        lane: 'delivery',
        run(payload, signal) {
          const { attempts, ...device } = OfDevice.parse(payload)
          return notifications.notify(device, attempts, signal)
        },
      },
    },
  }
}
