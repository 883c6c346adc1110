import { describe, expect, it } from 'vitest'
import { deviceOf, unknownDevice } from './account.service.ts'

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const pixel = 'Mozilla/5.0 (Linux; Android 10; K)'
const window = 'Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A.231005.007; wv)'

const safari = `${iPhone} (KHTML, like Gecko)`
const android = `${pixel} ${webkit} Chrome/138.0.0.0`
const inApp = `${window} ${webkit} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36`
const chrome = `${webkit} Chrome/138.0.0.0 Safari/537.36`
const gecko = 'Gecko/20100101 Firefox/140.0'

const known: [device: string, agent: string][] = [
  ['Safari, iOS, phone', `${safari} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['WhatsApp, iOS, phone', `${safari} Mobile/15E148 [WhatsApp/2.25.18.79]`],
  // The application on the home screen of an iPhone.
  ['Safari, iOS, phone', `${safari} Mobile/15E148`],
  ['Google, iOS, phone', `${safari} GSA/370.0 Mobile/15E148 Safari/604.1`],
  ['Chrome, Android, phone', `${android} Mobile Safari/537.36`],
  ['Chrome, Android, tablet', `${android} Safari/537.36`],
  [
    'Samsung Internet, Android, phone',
    `${pixel} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ['WhatsApp, Android, phone', `${inApp} WhatsApp/2.25.19.80`],
  ['Facebook, Android, phone', `${inApp} [FB_IAB/FB4A;FBAV/520.0.0.44.99;]`],
  [
    'null, Android, phone',
    `${pixel} ${webkit} Chrome/100.0 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.4`,
  ],
  ['Chrome, Windows, desktop', `${windows} ${chrome}`],
  ['Edge, Windows, desktop', `${windows} ${chrome} Edg/138.0.0.0`],
  ['Firefox, Windows, desktop', `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) ${gecko}`],
  ['Chrome, Chrome OS, desktop', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`],
]

describe('a device', () => {
  it.each(known)('%s is known by %s', async (device, agent) => {
    const { browser, system, kind } = await deviceOf(agent)
    expect(`${browser}, ${system}, ${kind}`).toBe(device)
  })

  it.each([
    ['nothing', null],
    ['an empty name', ''],
    ['spaces', '   '],
    ['a program', 'curl/8.5.0'],
    ['no browser', 'node'],
    ['three hundred characters of rubbish', 'x(;/'.repeat(75)],
    ['a name of its own', 'La tua banca: chiama il 333 1234567/1.0 (qui)'],
    ['a page', '<script>alert(1)</script>/1.0 (x)'],
    ['what objects have', '__proto__/1.0 constructor/1.0'],
  ])('that tells %s of itself is not known', async (_what, agent) => {
    expect(await deviceOf(agent)).toEqual(unknownDevice)
  })
})
