import { hasFeature } from '@bancone/contract/access'
import { addDays } from '@bancone/contract/dates'
import { customerPriorityPath, paths } from '@bancone/contract/pages'
import type {
  createPriorityDisplay,
  issuePriorityLinks,
  PriorityBoard,
  PriorityLink,
} from '@bancone/contract/priority'
import type { getPriorityReport, PriorityReport } from '@bancone/contract/priority-report'
import type { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { PharmacyOrKeySession } from '../../http/serve.ts'
import { phoneNumbers } from '../../platform/phone-numbers.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import { digitLimits, resetTries } from './priority-digits.ts'
import type { PriorityDisplaysStore } from './priority-displays.store.ts'
import { type IssuedLink, newToken, type PriorityLinksStore } from './priority-links.store.ts'
import type { PrioritySessionsStore } from './priority-sessions.store.ts'
import type { PrioritySettingsStore } from './priority-settings.store.ts'

export const priorityLimits = {
  // Per pharmacy, for all its users and API keys.
  'priority-links': { points: 60, seconds: 60 },
  ...digitLimits,
} as const satisfies Record<string, Limit>

export type PriorityLimitName = keyof typeof priorityLimits

/** The most days of a report. */
const MAX_DAYS = 366

type Dependencies = {
  sessions: Pick<PrioritySessionsStore, 'board'>
  links: PriorityLinksStore
  settings: Pick<PrioritySettingsStore, 'of'>
  displays: Pick<PriorityDisplaysStore, 'insert'>
  report(pharmacyId: string, from: string, to: string): Promise<PriorityReport>
  limits: RateLimits<PriorityLimitName>
  publicUrl: string
}

type Issued = z.output<typeof issuePriorityLinks.response>
type NewDisplay = z.output<typeof createPriorityDisplay.response>
type Period = z.output<typeof getPriorityReport.query>

export type PriorityService = ReturnType<typeof createPriority>

/** Priority access as the staff use it. */
export function createPriority(dependencies: Dependencies) {
  const { sessions, links, settings, displays, limits, publicUrl } = dependencies

  const urlOf = (code: string, { recordId, token }: Pick<IssuedLink, 'recordId' | 'token'>) =>
    `${publicUrl}${customerPriorityPath(code, recordId)}#t=${token}`

  async function linkOf(
    asked: string,
    issued: IssuedLink,
    { code, name }: { code: string; name: string },
    message: string,
  ): Promise<PriorityLink> {
    const { recordId, token, phone, ...shown } = issued
    const url = urlOf(code, { recordId, token })
    const { whatsAppNumber } = await phoneNumbers(phone)
    const texts = new Map([
      ['{link}', url],
      ['{farmacia}', name],
    ])
    return {
      ...shown,
      recordId: asked,
      url,
      whatsAppNumber,
      message: message.replaceAll(/\{(?:link|farmacia)\}/g, (word) => texts.get(word) ?? word),
    }
  }

  return {
    async board(pharmacyId: string): Promise<PriorityBoard> {
      const [shown, { lateMinutes }] = await Promise.all([
        sessions.board(pharmacyId),
        settings.of(pharmacyId),
      ])
      return { ...shown, lateMinutes }
    },

    /** Each order by itself: a failure leaves the links that were issued before, and the call can be repeated. */
    async issue(caller: PharmacyOrKeySession, recordIds: readonly string[]): Promise<Issued> {
      const { pharmacy } = caller
      if (!hasFeature(pharmacy, 'priority_access')) throw new AppError('access.denied')
      await limits
        .take({ limit: 'priority-links', subject: pharmacy.id })
        .catch(rethrowRateLimitAs('priority.too_many'))
      const issuer =
        caller.keyId === null
          ? ({ source: 'person', id: caller.userId } as const)
          : ({ source: 'api', id: caller.keyId } as const)
      const [named, { linkDays, message }] = await Promise.all([
        links.pharmacy(pharmacy.id),
        settings.of(pharmacy.id),
      ])
      const result: Issued = { links: [], refused: [] }
      for (const recordId of new Set(recordIds)) {
        const issued = await links.issue(pharmacy.id, recordId, linkDays, issuer)
        if (!issued) {
          result.refused.push(recordId)
          continue
        }
        await resetTries(limits, issued.prioritySessionId)
        const link = await linkOf(recordId, issued, named, message)
        result.links.push(caller.keyId === null ? link : { ...link, customerName: null })
      }
      return result
    },

    /**
     * The URL of another link of an order; undefined when there can be none. @param userId in whose name it is issued
     */
    async url(pharmacyId: string, recordId: string, userId: string): Promise<string | undefined> {
      const [{ code, isEnabled }, { linkDays }] = await Promise.all([
        links.pharmacy(pharmacyId),
        settings.of(pharmacyId),
      ])
      if (!isEnabled) return undefined
      const issuer = { source: 'person', id: userId } as const
      const issued = await links.issue(pharmacyId, recordId, linkDays, issuer)
      if (!issued) return undefined
      await resetTries(limits, issued.prioritySessionId)
      return urlOf(code, issued)
    },

    /** @throws AppError `request.invalid` for a period that ends before it begins, or is too long */
    async report(pharmacyId: string, { dal, al }: Period): Promise<PriorityReport> {
      if (al < dal || al >= addDays(dal, MAX_DAYS)) throw new AppError('request.invalid')
      return dependencies.report(pharmacyId, dal, al)
    },

    /** The link is returned only here. */
    async addDisplay(pharmacyId: string, name: string): Promise<NewDisplay> {
      const { token, hash } = newToken()
      const display = await displays.insert(pharmacyId, name, hash)
      return { ...display, url: `${publicUrl}${paths.priorityDisplay}#t=${token}` }
    },
  }
}
