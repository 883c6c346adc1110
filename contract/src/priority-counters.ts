import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DeskName } from './priority.ts'

const guard = { access: 'pharmacy', feature: 'priority_access' } as const

/** A counter that has not been seen for this time does not count as present. */
export const COUNTER_ABSENT_MS = 60_000
export const COUNTER_HEARTBEAT_MS = 20_000

/** Ends the repeated sound on all screens. */
export const acknowledgeArrivals = endpoint({
  method: 'POST',
  path: '/api/priority/acknowledgements',
  summary: 'Take note of arrivals',
  audit: { none: 'marks what has been read' },
  ...guard,
  body: z.strictObject({
    prioritySessionIds: z.array(z.uuid()).check(z.minLength(1), z.maxLength(100)),
  }),
  response: z.object({}),
  errors: [],
})

/** Sent by every open page of the staff, so that customers are not promised an operator who is not there. */
export const recordCounterPresence = endpoint({
  method: 'POST',
  path: '/api/priority/presence',
  summary: 'Say that a screen of the pharmacy is open',
  audit: { none: 'a state of one device' },
  ...guard,
  body: z.strictObject({
    deviceId: z.uuid(),
    desk: z.nullable(DeskName),
  }),
  response: z.object({}),
  errors: [],
})
