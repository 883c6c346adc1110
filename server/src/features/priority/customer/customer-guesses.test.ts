import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { AppError } from '../../../base/app-error.ts'
import { type RateLimits, TooManyRequests } from '../../../platform/rate-limits.ts'
import {
  type CustomerLimitName,
  createCustomerSessions,
  customerLimits,
} from './customer.service.ts'

const PHONE = '+39 333 123 4567'

/** All of it happens within one minute. */
function limitsOfOneMinute(): RateLimits<CustomerLimitName> {
  const taken = new Map<string, number>()
  const change =
    (by: number) =>
    async (...keys: { limit: CustomerLimitName; subject: string }[]) => {
      for (const { limit, subject } of keys) {
        const count = (taken.get(`${limit} ${subject}`) ?? 0) + by
        taken.set(`${limit} ${subject}`, count)
        if (by > 0 && count > customerLimits[limit].points) throw new TooManyRequests(limit, 60)
      }
    }
  return { take: change(1), refund: change(-1), reset: async () => {} }
}

/** A pharmacy with one session, of order 1042. */
function world(prioritySessionId: string | null = 'session') {
  const looked = { orders: 0 }
  const unreachable = async () => {
    throw new Error('a guess hit')
  }
  const sessions = createCustomerSessions({
    store: {
      idOf: async () => undefined,
      orderOf: async (_pharmacyId, order) => {
        looked.orders += 1
        const isIt = 'number' in order && order.number === '1042'
        return isIt ? { prioritySessionId, orderId: 'rec1', phone: PHONE } : undefined
      },
      statusOf: unreachable,
      addLink: unreachable,
      change: unreachable,
      changePlace: unreachable,
      room: unreachable,
    },
    beginSession: unreachable,
    displays: { byToken: async () => undefined, markSeen: unreachable },
    pharmacy: async (code) => ({
      id: 'pharmacy',
      code,
      name: 'Farmacia',
      phone: null,
      address: null,
      logoUrl: null,
      isActive: true,
      features: ['priority_access'],
    }),
    profile: async () => null,
    limits: limitsOfOneMinute(),
    clock: { now: () => 0 },
  })
  return { sessions, looked }
}

const GUESSES = 10_000
const pharmacyCode = 'PHARM-0001'

/** How often each error was the answer. */
async function codesOf(guess: (at: number) => Promise<unknown>): Promise<Record<string, number>> {
  const seen: Record<string, number> = {}
  for (let at = 0; at < GUESSES; at += 1) {
    await guess(at).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      seen[error.code] = (seen[error.code] ?? 0) + 1
    })
  }
  return seen
}

it('ten thousand guesses of tokens learn nothing, and a network has sixty a minute', async () => {
  const { sessions } = world()
  const token = () => randomBytes(16).toString('base64url')
  // From ten networks.
  const codes = await codesOf((at) =>
    sessions.get({ pharmacyCode, token: token() }, `198.51.100.${at % 10}`),
  )
  expect(codes).toEqual({ 'priority.order_not_found': 600, 'priority.too_many_requests': 9_400 })
})

it('ten thousand guesses of order numbers learn nothing, from as many networks', async () => {
  const { sessions, looked } = world()
  const codes = await codesOf((at) => {
    const order = { number: String(1000 + at) }
    return sessions.unlock({ pharmacyCode, order, digits: '0000' }, `10.${at >> 8}.${at & 255}.1`)
  })
  expect(codes).toEqual({ 'priority.not_matched': 60, 'priority.too_many_requests': 9_940 })
  expect(looked.orders).toBe(60)
})

it.each([
  ['a session', 'session'],
  ['an order without one', null],
])(
  'five digits are tried of %s, whichever networks they come from',
  async (_what, prioritySessionId) => {
    for (const number of ['1042', '9999']) {
      const { sessions } = world(prioritySessionId)
      const tried = []
      for (let at = 0; at < 10; at += 1) {
        const digits = at < 5 ? '0000' : '4567'
        tried.push(
          await sessions
            .unlock({ pharmacyCode, order: { number }, digits }, `10.0.0.${at}`)
            .catch((error: unknown) => (error instanceof AppError ? error.code : error)),
        )
      }
      // The same for an order that exists and one that does not, also with the right digits.
      expect(new Set(tried)).toEqual(new Set(['priority.not_matched']))
    }
  },
)
