import { hasFeature } from '@bancone/contract/access'
import { dayOf } from '@bancone/contract/dates'
import { paths } from '@bancone/contract/pages'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type { PriorityStatus } from '@bancone/contract/priority'
import type {
  PriorityPage,
  PriorityPharmacy,
  PriorityRefusal,
} from '@bancone/contract/priority-customer'
import { AppError } from '../../../base/app-error.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { PageRenderer } from '../../../ports/page-renderer.ts'
import type { CustomerPharmacy } from './customer.service.ts'

type Asked = Pick<PriorityPage, 'kind' | 'orderId'> & { code: string }

type Dependencies = {
  pharmacy(code: string): Promise<CustomerPharmacy | undefined>
  profile(pharmacyId: string, today: string): Promise<PublicProfile | null>
  /** The number in a text, E.164. */
  callNumber(phone: string | null): Promise<string | null>
  statusOf(pharmacyId: string, orderId: string): Promise<PriorityStatus | undefined>
  /** Counts a reading. @param page undefined for a guess. @throws AppError */
  takePage(ip: string, pharmacyId: string | undefined, page?: string): Promise<void>
  renderer: PageRenderer<PriorityPage>
  clock: Clock
}

export type CustomerPages = ReturnType<typeof createCustomerPages>

const statusOfRefusal: Record<PriorityRefusal, number> = {
  'Farmacia non trovata': 404,
  'Ordine non trovato': 404,
  'Funzione non disponibile presso questa farmacia': 403,
  'Si è verificato un errore, riprova più tardi': 503,
}

const UNREADABLE: PriorityPage = {
  kind: 'session',
  orderId: null,
  pharmacy: null,
  status: null,
  refusal: 'Si è verificato un errore, riprova più tardi',
}

/** The pages as the server draws them: public to those who know the address. Nothing is changed by them. */
export function createCustomerPages(dependencies: Dependencies) {
  const { pharmacy, profile, callNumber, statusOf, takePage, renderer, clock } = dependencies
  async function shown(found: CustomerPharmacy): Promise<PriorityPharmacy> {
    const own = await profile(found.id, dayOf(clock.now()))
    const { code, name, address, phone, logoUrl } = found
    return {
      code,
      name,
      address: address?.trim() || null,
      phone: phone?.trim() || null,
      callNumber: await callNumber(phone),
      logoUrl,
      palette: own?.palette ?? null,
      openingWeek: own?.openingWeek ?? null,
      closings: own?.closings ?? [],
    }
  }

  async function load({ kind, code, orderId }: Asked, ip: string): Promise<PriorityPage> {
    const page: PriorityPage = { kind, orderId, pharmacy: null, status: null, refusal: null }
    if (kind === 'display') return page
    const found = await pharmacy(code)
    // Looked up first: those who guess use up nothing of others in their network.
    const status = found && orderId !== null ? await statusOf(found.id, orderId) : undefined
    const isGuess = !found || (orderId !== null && status === undefined)
    await takePage(ip, found?.id, isGuess ? undefined : (orderId ?? 'poster'))
    if (!found?.isActive) return { ...page, refusal: 'Farmacia non trovata' }
    const of = { ...page, pharmacy: await shown(found) }
    if (!hasFeature(found, 'priority_access'))
      return { ...of, refusal: 'Funzione non disponibile presso questa farmacia' }
    if (orderId === null) return of
    return status === undefined ? { ...of, refusal: 'Ordine non trovato' } : { ...of, status }
  }

  return {
    async page(asked: Asked, ip: string): Promise<{ html: string; status: number }> {
      const page = await load(asked, ip)
      const status = page.refusal === null ? 200 : statusOfRefusal[page.refusal]
      return { html: await renderer.render(page), status }
    },

    /** The page of a failure. @param error what failed */
    async failure(error: unknown): Promise<{ html: string; status: number }> {
      const status = error instanceof AppError ? error.status : 503
      return { html: await renderer.render(UNREADABLE), status }
    },
  }
}

const ofStaff: readonly string[] = [
  paths.prioritySettings,
  paths.priorityReport,
  paths.priorityPoster,
]

/**
 * What a URL below `/priority` asks for; `invalid` without a pharmacy code or an order id, undefined when it is a page
 * of the staff, or none.
 */
export function parsePriorityUrl(url: string): Asked | 'invalid' | undefined {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '') ?? ''
  if (path === paths.priority || ofStaff.includes(path)) return undefined
  if (path === paths.priorityDisplay) return { kind: 'display', code: '', orderId: null }
  const parts = path
    .slice(paths.priority.length + 1)
    .split('/')
    .map(decoded)
  const [code, orderId, ...others] = parts
  if (others.length > 0) return undefined
  if (!code || !isShort(code)) return 'invalid'
  if (orderId === undefined) return { kind: 'find', code, orderId: null }
  return isShort(orderId) ? { kind: 'session', code, orderId } : 'invalid'
}

/** Whether the database can store it, and it may be one. */
function isShort(text: string): boolean {
  return text.length <= 100 && /^[^\p{Cc}\p{Cs}]+$/u.test(text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).trim()
  } catch {
    return ''
  }
}
