import type { Device } from '@bancone/contract/account'
import { describe, expect, it } from 'vitest'
import { deviceOf, unknownDevice } from './devices.ts'

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const pixel = 'Mozilla/5.0 (Linux; Android 10; K)'
const window = 'Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A.231005.007; wv)'

type Case = [agent: string, browser: string | null, system: string | null, kind: Device['kind']]

const known: Case[] = [
  [
    `${iPhone} (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iOS',
    'phone',
  ],
  [
    `${iPhone} (KHTML, like Gecko) CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`,
    'Chrome',
    'iOS',
    'phone',
  ],
  [
    `${iPhone} (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/604.1`,
    'Firefox',
    'iOS',
    'phone',
  ],
  [`${iPhone} (KHTML, like Gecko) Mobile/15E148 [WhatsApp/2.25.18.79]`, 'WhatsApp', 'iOS', 'phone'],
  [
    'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    'tablet',
  ],
  // The application on the home screen of an iPhone.
  [`${iPhone} (KHTML, like Gecko) Mobile/15E148`, 'Safari', 'iOS', 'phone'],
  [`${iPhone} (KHTML, like Gecko) GSA/370.0 Mobile/15E148 Safari/604.1`, 'Google', 'iOS', 'phone'],
  [`${pixel} ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android', 'phone'],
  [`${pixel} ${webkit} Chrome/138.0.0.0 Safari/537.36`, 'Chrome', 'Android', 'tablet'],
  [
    `${pixel} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
    'phone',
  ],
  [
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'Firefox',
    'Android',
    'phone',
  ],
  [
    `${window} ${webkit} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 WhatsApp/2.25.19.80`,
    'WhatsApp',
    'Android',
    'phone',
  ],
  [
    `${window} ${webkit} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/520.0.0.44.99;]`,
    'Facebook',
    'Android',
    'phone',
  ],
  [
    `${pixel} ${webkit} Chrome/100.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.4`,
    null,
    'Android',
    'phone',
  ],
  [`${windows} ${webkit} Chrome/138.0.0.0 Safari/537.36`, 'Chrome', 'Windows', 'desktop'],
  [
    `${windows} ${webkit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
    'Edge',
    'Windows',
    'desktop',
  ],
  [
    `${windows} ${webkit} Chrome/137.0.0.0 Safari/537.36 OPR/121.0.0.0`,
    'Opera',
    'Windows',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox',
    'Windows',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Internet Explorer',
    'Windows',
    'desktop',
  ],
  [
    `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`,
    'Safari',
    'macOS',
    'desktop',
  ],
  [`${mac} ${webkit} Chrome/138.0.0.0 Safari/537.36`, 'Chrome', 'macOS', 'desktop'],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Firefox',
    'Linux',
    'desktop',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/138.0.0.0 Safari/537.36`,
    'Chrome',
    'Chrome OS',
    'desktop',
  ],
]

describe('a device', () => {
  it.each(known)('%s', async (agent, browser, system, kind) => {
    expect(await deviceOf(agent)).toEqual({ browser, system, kind })
  })

  it.each([
    ['nothing', null],
    ['an empty name', ''],
    ['spaces', '   '],
    ['a program', 'curl/8.5.0'],
    ['another program', 'python-requests/2.32.3'],
    ['no browser', 'node'],
    ['three hundred characters of rubbish', 'x(;/'.repeat(75)],
    ['a name of its own', 'La tua banca: chiama il 333 1234567/1.0 (qui)'],
    ['a page', '<script>alert(1)</script>/1.0 (x)'],
    ['what objects have', '__proto__/1.0 constructor/1.0'],
  ])('that tells %s of itself is not known', async (_what, agent) => {
    expect(await deviceOf(agent)).toEqual(unknownDevice)
  })
})
