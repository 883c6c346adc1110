import { isbot } from 'isbot'
import { describe, expect, it } from 'vitest'
import { exclusionOf, referrerOrigin, sourceOf } from './page-views.rules.ts'
import { visitorNetwork } from './visitor-salts.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

describe('a request', () => {
  it.each([
    ['of a visitor', {}, null],
    ['of a visitor who would not mind', { dnt: '0' }, null],
    ['of who asks not to be tracked', { dnt: '1' }, 'privacy'],
    ['of who has privacy control on', { 'sec-gpc': '1' }, 'privacy'],
    ['of a page fetched beforehand', { 'sec-purpose': 'prefetch' }, 'preview'],
    ['of a page drawn beforehand', { 'sec-purpose': 'prefetch;prerender' }, 'preview'],
    ['of a page fetched beforehand, by an older browser', { purpose: 'prefetch' }, 'preview'],
    ['of WhatsApp for a preview', { 'user-agent': 'WhatsApp/2.23.20.0 A' }, 'preview'],
    ['of Facebook for a preview', { 'user-agent': 'facebookexternalhit/1.1' }, 'preview'],
    ['of Telegram for a preview', { 'user-agent': 'TelegramBot (like TwitterBot)' }, 'preview'],
    ['of Slack for a preview', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }, 'preview'],
    [
      'of a search engine',
      {
        'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
        dnt: '1',
      },
      'bot',
    ],
    ['of a browser without a window', { 'user-agent': `${PHONE} HeadlessChrome/140.0` }, 'bot'],
    ['of curl', { 'user-agent': 'curl/8.5.0' }, 'bot'],
    ['of an empty user agent', { 'user-agent': '' }, 'bot'],
    ['of the browser of Facebook', { 'user-agent': `${PHONE} [FBAN/FBIOS;FBAV/450.0]` }, null],
    ['of the browser of Pinterest', { 'user-agent': `${PHONE} [Pinterest/iOS]` }, null],
  ])('%s is left out as %3$s', (_of, headers, reason) => {
    expect(exclusionOf({ 'user-agent': PHONE, ...headers }, isbot)).toBe(reason)
  })
})

describe('the network of a visitor', () => {
  it.each([
    ['203.0.113.77', '203.0.113'],
    ['::ffff:203.0.113.77', '203.0.113'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '32.1.13.184.0.1'],
    ['no address', ''],
  ])('of %s is %s', (address, network) => {
    expect(visitorNetwork(address)).toBe(network)
  })
})

describe('what is kept of where a visitor came from', () => {
  it.each([
    ['https://www.example.it/', 'https://www.example.it'],
    ['http://example.it:8080/a/b', 'http://example.it:8080'],
    ['https://mario:segreto@example.it/cerca?q=antabuse&id=7#risultati', 'https://example.it'],
    ['android-app://com.whatsapp/a?b#c', 'android-app://com.whatsapp'],
    ['', null],
    [null, null],
    ['example.it', null],
    ['javascript:alert(1)', null],
    ['file:///home/mario/offerte.html', null],
    ['data:text/html,mario', null],
  ])('%j is %j', (referrer, kept) => {
    expect(referrerOrigin(referrer)).toBe(kept)
  })
})

describe('the source of a view', () => {
  const own = 'https://bancone.example.it'
  const from = (origin: string | null, rest = {}) =>
    sourceOf({ tag: null, origin, userAgent: PHONE, own, ...rest })

  it.each([
    ['https://www.google.it', 'search'],
    ['https://www.google.co.uk', 'search'],
    ['https://duckduckgo.com', 'search'],
    ['android-app://com.google.android.googlequicksearchbox', 'search'],
    ['https://l.facebook.com', 'social'],
    ['https://t.co', 'social'],
    ['https://www.instagram.com:443', 'social'],
    ['https://web.whatsapp.com', 'whatsapp'],
    ['android-app://com.whatsapp', 'whatsapp'],
    ['https://notfacebook.com', 'site'],
    ['https://www.farmaciasanmarco.it', 'site'],
    [own, 'direct'],
    [null, 'direct'],
  ])('from %s is %s', (origin, source) => {
    expect(from(origin)).toBe(source)
  })

  it('is what the link says, wherever it was opened', () => {
    expect(from('https://l.facebook.com', { tag: 'volantino' })).toBe('flyer')
    expect(from(null, { tag: 'locandina' })).toBe('poster')
  })

  it('is the app whose browser names no page', () => {
    expect(from(null, { userAgent: `${PHONE} Instagram 300.0` })).toBe('social')
  })
})
