import {
  getPushKey,
  subscribeDevice,
  testDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import type { Serve } from '../../http/serve.ts'
import type { NotificationsService } from './notifications.service.ts'
import type { PushDevicesStore } from './push-devices.store.ts'
import type { PushKeys } from './push-keys.store.ts'

type Handlers = { notifications: NotificationsService; devices: PushDevicesStore; keys: PushKeys }

export function notificationRoutes(serve: Serve, { notifications, devices, keys }: Handlers) {
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
