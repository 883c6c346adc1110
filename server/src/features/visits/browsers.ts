import type { VisitDevice } from '@bancone/contract/analytics'
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** What a browser says of itself, without what only few browsers have. `name`: for example `Chrome · Android`. */
export type Browser = { name: string; device: VisitDevice }

// Asked at every request of a public page, where matching all patterns takes a fifth of the time of a page from memory.
// Most visitors have one of few browsers; a full `User-Agent` is not kept for long.
const bots = new LRUCache<string, boolean>({ max: 1_000, ttl: 10 * 60_000, ttlAutopurge: true })

/** A header of a browser is shorter; longer ones are not kept. */
const LONGEST = 500

/** Whether the `User-Agent` is that of a program; also when there is none. */
export function isBot(userAgent: string): boolean {
  if (userAgent === '') return true
  if (userAgent.length > LONGEST) return isbot(userAgent)
  const known = bots.get(userAgent)
  if (known !== undefined) return known
  const found = isbot(userAgent)
  bots.set(userAgent, found)
  return found
}

const devices: ReadonlyMap<string | undefined, VisitDevice> = new Map([
  ['mobile', 'phone'],
  ['tablet', 'tablet'],
] as const)

/** The client writes its `User-Agent` freely, so only names from a list are returned. */
export async function browserOf(userAgent: string): Promise<Browser> {
  const { default: bowser } = await import('bowser')
  const { browser, os, platform } = bowser.parse(userAgent)
  const names = [listed(browser.name, bowser.BROWSER_MAP), listed(os.name, bowser.OS_MAP)]
  return {
    name: names.filter((name) => name !== null).join(' · '),
    device: devices.get(platform.type) ?? 'computer',
  }
}

function listed(name: string | undefined, names: Record<string, string>): string | null {
  return name !== undefined && Object.values(names).includes(name) ? name : null
}
