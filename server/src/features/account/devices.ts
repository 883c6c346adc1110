import type { Device } from '@bancone/contract/account'

/** Of what nothing is known. */
export const unknownDevice: Device = { browser: null, system: null, kind: 'other' }

/** What the parser knows under a longer name than people do. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['NAVER Whale Browser', 'Whale'],
  ['Google Search', 'Google'],
])

/** Applications that show pages in a window of their own, by what they add to the name of its browser. */
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

/** Systems that the parser does not know the kind of. */
const kindsOfSystems: ReadonlyMap<string, Device['kind']> = new Map([['Chrome OS', 'desktop']])

/**
 * What a browser calls itself, in words that people know. Whoever calls writes that name, so nothing of
 * it is shown: only names that are in a list.
 */
export async function deviceOf(agent: string | null): Promise<Device> {
  if (!agent) return unknownDevice
  // Loaded for whoever looks at their account.
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
