import { type Feature, hasFeature } from '@bancone/contract/access'
import { dayOf } from '@bancone/contract/dates'
import type { Input } from '@bancone/contract/endpoint'
import { openingState } from '@bancone/contract/opening-state'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import {
  type CustomerPrioritySession,
  type changeCustomerPrioritySession,
  type getCustomerPrioritySession,
  MAX_DIGIT_ATTEMPTS,
  type PriorityDisplayState,
  type unlockCustomerPrioritySession,
} from '@bancone/contract/priority-customer'
import { AppError } from '../../../base/app-error.ts'
import { numbersIn } from '../../../platform/phone-numbers.ts'
import {
  type Limit,
  networkOf,
  type RateLimitKey,
  type RateLimits,
  rethrowRateLimitAs,
  TooManyRequests,
} from '../../../platform/rate-limits.ts'
import type { Clock } from '../../../ports/clock.ts'
import { digitLimits, returnTry, takeTry } from '../priority-digits.ts'
import type { PriorityDisplaysStore } from '../priority-displays.store.ts'
import { tokenHash } from '../priority-links.store.ts'
import { customerSessions, customerSteps, displayState, judgeChange } from './customer.rules.ts'
import type { CustomerSessionsStore, NamedOrder } from './customer-sessions.store.ts'

/**
 * Those of a network are counted for each pharmacy. They count guesses alone, and a link is looked up before: many
 * customers can share a network, as that of the pharmacy, with each other and with those who guess.
 */
export const customerLimits = {
  // Of a network: with a token that opens nothing, or for an order that is not known.
  'priority-reads': { points: 60, seconds: 60 },
  'priority-changes': { points: 10, seconds: 60 },
  // Of a session or a display, whichever networks they come from.
  'priority-link-reads': { points: 60, seconds: 60 },
  'priority-link-changes': { points: 10, seconds: 60 },
  // Of a network, with digits that do not match.
  'priority-network-unlocks': { points: 10, seconds: 60 },
  // Over all networks, so that many of them together cannot go through the numbers of a pharmacy.
  'priority-unlocks': { points: 60, seconds: 60 },
  ...digitLimits,
  // The same work for numbers that do not exist.
  'priority-no-digits': { points: MAX_DIGIT_ATTEMPTS, seconds: 60 },
} as const satisfies Record<string, Limit>

export type CustomerLimitName = keyof typeof customerLimits

export type CustomerPharmacy = {
  id: string
  code: string
  name: string
  phone: string | null
  address: string | null
  logoUrl: string | null
  isActive: boolean
  features: readonly Feature[]
}

type Link = Input<typeof getCustomerPrioritySession>['body']
type Change = Input<typeof changeCustomerPrioritySession>['body']
type Unlocking = Input<typeof unlockCustomerPrioritySession>['body']

type Dependencies = {
  store: CustomerSessionsStore
  displays: Pick<PriorityDisplaysStore, 'byToken' | 'markSeen'>
  /**
   * Gives an order without an open session one. @returns the token of its link; undefined when the order is cancelled
   */
  beginSession(pharmacyId: string, orderId: string): Promise<string | undefined>
  /** By code, regardless of case. */
  pharmacy(code: string): Promise<CustomerPharmacy | undefined>
  profile(pharmacyId: string, today: string): Promise<PublicProfile | null>
  limits: RateLimits<CustomerLimitName>
  clock: Clock
}

export type CustomerSessions = ReturnType<typeof createCustomerSessions>

/** Attempts before a change that others keep overtaking is given up; each one has another state before it. */
const MAX_ATTEMPTS = 4

type Kind = 'reads' | 'changes'

/** Whether one of the numbers in a text ends with these digits. */
async function endsWith(phone: string | null, digits: string): Promise<boolean> {
  const numbers = [phone?.replaceAll(/\D/g, '') ?? '', ...(await numbersIn(phone))]
  return numbers.some((number) => number.endsWith(digits))
}

function ofNetwork<Name extends CustomerLimitName>(limit: Name, ip: string, pharmacyId = 'none') {
  return { limit, subject: `${pharmacyId} ${networkOf(ip)}` }
}

/** What customers do without an account: with the token of a link, or with the last digits of their number. */
export function createCustomerSessions(dependencies: Dependencies) {
  const { store, displays, beginSession, pharmacy, profile, limits, clock } = dependencies
  const take = (...keys: RateLimitKey<CustomerLimitName>[]) =>
    limits.take(...keys).catch(rethrowRateLimitAs('priority.too_many_requests'))

  /** @throws AppError with the refusals of the page, in their order */
  function requireOffered(found: CustomerPharmacy | undefined): CustomerPharmacy {
    if (!found?.isActive) throw new AppError('priority.pharmacy_not_found')
    if (!hasFeature(found, 'priority_access')) throw new AppError('priority.feature_off')
    return found
  }

  /** The session that a link opens. */
  async function linkedSession({ pharmacyCode, token }: Link, kind: Kind, ip: string) {
    const found = await pharmacy(pharmacyCode.trim())
    const id = found && (await store.idOf(found.id, tokenHash(token)))
    await take(
      id === undefined
        ? ofNetwork(`priority-${kind}`, ip, found?.id)
        : { limit: `priority-link-${kind}`, subject: id },
    )
    const { id: pharmacyId } = requireOffered(found)
    if (id === undefined) throw new AppError('priority.order_not_found')
    return { pharmacyId, id }
  }

  async function present(pharmacyId: string, id: string): Promise<CustomerPrioritySession> {
    const room = await store.room(pharmacyId, [id])
    const session = room && customerSessions(room, clock.now()).get(id)
    if (!session) throw new AppError('priority.order_not_found')
    return session
  }

  async function requireOpen(pharmacyId: string): Promise<void> {
    const now = clock.now()
    const shown = await profile(pharmacyId, dayOf(now))
    if (!shown?.openingWeek) return
    const { isOpen, changesAt } = openingState(shown.openingWeek, shown.closings, now)
    if (isOpen) return
    throw new AppError('priority.closed', {
      ...(changesAt !== null && { details: { opensAt: new Date(changesAt).toISOString() } }),
    })
  }

  /**
   * Takes one of the tries of a session or an order, or as much work for one that does not exist. @returns whether one
   * was left
   */
  async function hasTryLeft(subject: string | undefined, asked: string): Promise<boolean> {
    try {
      if (subject !== undefined) await takeTry(limits, subject)
      else await limits.take({ limit: 'priority-no-digits', subject: asked })
      return true
    } catch (error) {
      if (error instanceof TooManyRequests) return false
      throw error
    }
  }

  async function linkOf(pharmacyId: string, { prioritySessionId, orderId }: NamedOrder) {
    return prioritySessionId === null
      ? beginSession(pharmacyId, orderId)
      : store.addLink(pharmacyId, prioritySessionId)
  }

  async function locateDisplay(token: string, ip: string) {
    const found = await displays.byToken(tokenHash(token))
    await take(
      found ? { limit: 'priority-link-reads', subject: found.id } : ofNetwork('priority-reads', ip),
    )
    if (!found) throw new AppError('priority.display_not_found')
    return found
  }

  return {
    /** The session of a link, for its stream. */
    locate: (link: Link, ip: string) => linkedSession(link, 'reads', ip),

    async get(link: Link, ip: string): Promise<CustomerPrioritySession> {
      const { pharmacyId, id } = await linkedSession(link, 'reads', ip)
      return present(pharmacyId, id)
    },

    async change({ to, place, ...link }: Change, ip: string): Promise<CustomerPrioritySession> {
      const { pharmacyId, id } = await linkedSession(link, 'changes', ip)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const session = await present(pharmacyId, id)
        const judged = judgeChange(session.status, to)
        if (judged === 'ended') throw new AppError('priority.ended')
        if (judged === 'same') return session
        if (to === 'user_arrived') {
          if (session.coolsUntil !== null)
            throw new AppError('priority.cooling_down', { details: { until: session.coolsUntil } })
          await requireOpen(pharmacyId)
        }
        const from = customerSteps[to]
        if (await store.change(pharmacyId, id, { to, from, place })) break
      }
      return present(pharmacyId, id)
    },

    async changePlace({ place, ...link }: Link & { place: string | null }, ip: string) {
      const { pharmacyId, id } = await linkedSession(link, 'changes', ip)
      const { status } = await present(pharmacyId, id)
      if (judgeChange(status, 'user_arrived') === 'ended') throw new AppError('priority.ended')
      await store.changePlace(pharmacyId, id, place)
      return present(pharmacyId, id)
    },

    /** @throws AppError `priority.not_matched`, whatever of it was wrong */
    async unlock({ pharmacyCode, order, digits }: Unlocking, ip: string) {
      const asked = await pharmacy(pharmacyCode.trim())
      // Counted before anything is looked for, so that guesses are refused before they can hit.
      const ofThisNetwork = ofNetwork('priority-network-unlocks', ip, asked?.id)
      await take(ofThisNetwork)
      const { id: pharmacyId } = requireOffered(asked)
      const ofAllNetworks = { limit: 'priority-unlocks', subject: pharmacyId } as const
      await take(ofAllNetworks)
      const found = await store.orderOf(pharmacyId, order)
      const name = 'id' in order ? order.id : order.number
      const tries = found && (found.prioritySessionId ?? `${pharmacyId} ${found.orderId}`)
      const hasTry = await hasTryLeft(tries, `${pharmacyId} ${name}`)
      const isKnown = found && hasTry && (await endsWith(found.phone, digits))
      const token = isKnown ? await linkOf(pharmacyId, found) : undefined
      if (!found || tries === undefined || token === undefined)
        throw new AppError('priority.not_matched')
      await returnTry(limits, tries)
      await limits.refund(ofAllNetworks, ofThisNetwork)
      return { orderId: found.orderId, token }
    },

    /** The display of a link, for its stream. */
    locateDisplay,

    async display(token: string, ip: string): Promise<PriorityDisplayState> {
      const { id, pharmacyId } = await locateDisplay(token, ip)
      const room = await store.room(pharmacyId, [])
      if (!room) throw new AppError('priority.display_not_found')
      await displays.markSeen([id])
      return displayState(room)
    },

    /** Counts the reading of a page in a network. @param page which one it is; undefined for a guess */
    takePage: (ip: string, pharmacyId: string | undefined, page?: string) =>
      take(
        page === undefined
          ? ofNetwork('priority-reads', ip, pharmacyId)
          : ofNetwork('priority-link-reads', ip, `${pharmacyId} ${page}`),
      ),
  }
}
