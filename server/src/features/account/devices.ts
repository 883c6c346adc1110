import type { Device } from '@bancone/contract/account'

/** A device that could not be recognized. */
export const unknownDevice: Device = { browser: null, system: null, kind: 'other' }

/** Shorter names for browsers that the parser knows by a long one. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['NAVER Whale Browser', 'Whale'],
  ['Google Search', 'Google'],
])

/** Apps with a built-in browser, by what they append to its `User-Agent`. */
const windowsOfApps: readonly (readonly [RegExp, string])[] = [
  [/\bWhatsApp\b/, 'WhatsApp'],
  [/\bInstagram\b/, 'Instagram'],
  [/\bFB(AN|AV|_IAB)\b/, 'Facebook'],
]

const kinds: ReadonlyMap<string, Device['kind']> = new Map([
  ['desktop', 'desktop'],
  ['mobile', 'phone'],
  ['tablet', 'tablet'],
] as const)

/** Systems of which the parser does not know the kind of device. */
const kindsOfSystems: ReadonlyMap<string, Device['kind']> = new Map([['Chrome OS', 'desktop']])

/**
 * Browser, system and kind of device of a `User-Agent`. The client writes that header freely, so only names from a
 * list are returned.
 */
export async function deviceOf(agent: string | null): Promise<Device> {
  if (!agent) return unknownDevice
  // Loaded on demand: only account pages need it.
  const { default: bowser } = await import('bowser')
  const { browser, os, platform } = bowser.parse(agent)
  const app = windowsOfApps.find(([mark]) => mark.test(agent))?.[1]
  const system = listed(os.name, bowser.OS_MAP)
  return {
    browser: app ?? listed(browser.name, bowser.BROWSER_MAP),
    system,
    kind: kinds.get(platform.type ?? '') ?? kindsOfSystems.get(system ?? '') ?? 'other',
  }
}

function listed(name: string | undefined, names: Record<string, string>): string | null {
  if (!name || !Object.values(names).includes(name)) return null
  return shortNames.get(name) ?? name
}
