import { z } from 'zod'
import type { Jobs } from '../../platform/jobs.ts'
import type { NotificationsService } from './notifications.service.ts'
import { TELL_TASK } from './push-arrivals.store.ts'
import { TELL_DEVICE_TASK } from './push-devices.store.ts'

const OfPharmacy = z.object({ pharmacyId: z.string() })
const OfDevice = z.object({ deviceId: z.string(), attempts: z.number().int() })

type Telling = Pick<NotificationsService, 'tell' | 'tellDevice'>

/** They look at what is to be told when they run: one too many does no harm, and one stands for several. */
export function notificationTasks(notifications: Telling): Jobs['tasks'] {
  return {
    [TELL_TASK]: (payload, signal) =>
      notifications.tell(OfPharmacy.parse(payload).pharmacyId, signal),
    [TELL_DEVICE_TASK]: (payload, signal) => {
      const { deviceId, attempts } = OfDevice.parse(payload)
      return notifications.tellDevice(deviceId, attempts, signal)
    },
  }
}
