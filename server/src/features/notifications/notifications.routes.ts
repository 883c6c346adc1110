import {
  getPushKey,
  subscribeDevice,
  testDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import type { Serve } from '../../http/serve.ts'
import type { NotificationsService } from './notifications.service.ts'

export function notificationRoutes(serve: Serve, notifications: NotificationsService) {
  serve(getPushKey, async () => ({ publicKey: await notifications.publicKey() }))

  serve(subscribeDevice, async ({ body }, session) => {
    await notifications.subscribe(session, body)
    return {}
  })

  serve(unsubscribeDevice, async ({ body }, session) => {
    await notifications.unsubscribe(session, body.endpoint)
    return {}
  })

  serve(testDevice, async ({ body }, session) => {
    await notifications.test(session, body.endpoint)
    return {}
  })
}
