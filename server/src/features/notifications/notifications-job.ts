import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import type { NotificationsService } from './notifications.service.ts'
import { NOTIFY_TASK } from './push-arrivals.store.ts'
import { NOTIFY_DEVICE_TASK } from './push-devices.store.ts'

const OfPharmacy = z.object({ pharmacyId: z.string() })
const OfDevice = z.object({
  pharmacyId: z.uuid(),
  deviceId: z.string(),
  attempts: z.number().int(),
})

type Notifier = Pick<NotificationsService, 'notifyPharmacy' | 'notifyDevice'>

/** The jobs read what is due when they run: a redundant job does no harm, and one job covers several arrivals. */
export function notificationTasks(notifications: Notifier): Tasks {
  return {
    [NOTIFY_TASK]: {
      lane: 'delivery',
      run: (payload, signal) =>
        notifications.notifyPharmacy(OfPharmacy.parse(payload).pharmacyId, signal),
    },
    [NOTIFY_DEVICE_TASK]: {
      lane: 'delivery',
      run(payload, signal) {
        const { pharmacyId, deviceId, attempts } = OfDevice.parse(payload)
        return notifications.notifyDevice({ pharmacyId, deviceId }, attempts, signal)
      },
    },
  }
}
