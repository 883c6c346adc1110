import {
  getPushKey,
  subscribeDevice,
  testDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import { z } from 'zod'
import type { AppModule } from '../../http/app-module.ts'
import type { Serve } from '../../http/serve.ts'
import type { Context } from '../../platform/context.ts'
import type { Outbound } from '../../ports/outbound.ts'
import { vapidSubject } from './notifications.rules.ts'
import {
  createNotifications,
  type NotificationsService,
  notificationLimits,
} from './notifications.service.ts'
import {
  createPushDevicesStore,
  NOTIFY_DEVICE_TASK,
  NOTIFY_TASK,
  type PushDevicesStore,
} from './push-devices.store.ts'
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

type Handlers = { notifications: NotificationsService; devices: PushDevicesStore; keys: PushKeys }

function notificationRoutes(serve: Serve, { notifications, devices, keys }: Handlers) {
  serve(getPushKey, async () => ({ publicKey: (await keys.load()).publicKey }))

  serve(subscribeDevice, async ({ body }, session) => {
    await notifications.subscribe(session, body)
    return {}
  })

  serve(unsubscribeDevice, async ({ body }, { pharmacy }) => {
    await devices.unsubscribe(pharmacy.id, body.endpoint)
    return {}
  })

  serve(testDevice, async ({ body }, session) => {
    await notifications.test(session, body.endpoint)
    return {}
  })
}
