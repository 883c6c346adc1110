import { type MetaFailure, startMeta } from '@bancone/sandbox/meta'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { failureOf } from '../../../test/failure-of.ts'
import { foreignServer } from '../../../test/foreign-server.ts'
import { createOutbound } from '../../platform/outbound.ts'
import { type WhatsAppBusiness, WhatsAppBusinessError } from '../../ports/whatsapp-business.ts'
import { createMetaBusiness } from './meta-business.ts'

const application = { appId: '1', appSecret: 'the secret', configId: '2' }
const callback = { url: 'https://bancone.example.it/webhooks/whatsapp', verifyToken: 'verify' }
let meta: Awaited<ReturnType<typeof startMeta>>
let business: WhatsAppBusiness

beforeAll(async () => {
  meta = await startMeta({ ...application, verifiesCallbacks: false })
  atEnd(meta.close)
  business = businessAt(meta.url)
})
beforeEach(() => meta.fail({ mode: 'ok' }))

function businessAt(graphUrl: string, appSecret = application.appSecret, timeLimitMs = 10_000) {
  const { fetch, close } = createOutbound({ allow: [new URL(graphUrl).origin] })
  atEnd(close)
  return createMetaBusiness({ graphUrl, appId: '1', appSecret, fetch, timeLimitMs })
}

const errorOf = (work: Promise<unknown>) => failureOf(work, WhatsAppBusinessError)

describe('Meta', () => {
  it('is asked with the token in a header, and with the proof of the application', async () => {
    const seen: { url: string; authorization: string | undefined }[] = []
    const there = await foreignServer((request, response) => {
      seen.push({ url: request.url ?? '', authorization: request.headers.authorization })
      response.setHeader('content-type', 'application/json').end('{"id":"5","name":"A"}')
    })
    await businessAt(there.origin).account('the-token', '5')
    expect(seen[0]?.authorization).toBe('Bearer the-token')
    expect(seen[0]?.url).toMatch(/^\/v25\.0\/5\?fields=.*&appsecret_proof=[0-9a-f]{64}$/)
    expect(seen[0]?.url).not.toContain('the-token')
  })

  it('subscribes in two calls, the second with the address', async () => {
    const { id, numbers } = meta.accounts.number
    const token = meta.newToken(id)
    await business.subscribe(token, id, callback)
    expect(meta.accounts.number.callback).toEqual(callback)
    expect(meta.requests.slice(-2)).toEqual(Array(2).fill(`POST /${id}/subscribed_apps`))
    await business.register(token, numbers[0]?.id ?? '', '012345')
    expect(await business.health(token, numbers[0]?.id ?? '')).toMatchObject({
      status: 'CONNECTED',
      quality: 'GREEN',
      messagingLimit: 'TIER_250',
    })
  })

  it('takes a code once, and for 30 seconds', async () => {
    const code = meta.newCode(meta.accounts.number.id)
    const token = await business.exchange(code)
    expect(await business.inspect(token)).toMatchObject({
      isValid: true,
      accountIds: [meta.accounts.number.id],
    })
    expect((await errorOf(business.exchange(code))).kind).toBe('refused')
  })

  it.each<[number, string, string]>([
    [190, '', 'expired'],
    [10, '', 'permission'],
    [200, '', 'permission'],
    [299, '', 'permission'],
    [368, '', 'restricted'],
    [130429, '', 'rate'],
    [131056, '', 'pair'],
    [131047, '', 'window_closed'],
    [131026, '', 'not_on_whatsapp'],
    [131030, '', 'not_on_whatsapp'],
    [131048, '', 'policy'],
    [131049, '', 'person'],
    [133005, '', 'pin'],
    [133006, '', 'unverified'],
    [100, 'Before override the current callback uri, your app must be subscribed', 'callback'],
    [2200, 'Callback verification failed', 'callback'],
    [100, 'Unsupported get request', 'refused'],
    [2, '', 'unreachable'],
    [7, '', 'refused'],
  ])('that refuses with %i %s', async (code, details, kind) => {
    meta.fail({ mode: 'graph', code, details: `${details} EAAtoken` })
    const error = await errorOf(business.account(meta.newToken('1'), '1'))
    expect(error.kind).toBe(kind)
    expect(error.message).toMatch(new RegExp(`code ${code}$`))
    // Its texts may quote the request.
    expect(`${error.message} ${String(error.cause)}`).not.toContain('EAA')
  })

  it.each<MetaFailure['mode']>(['status', 'silent', 'hang-up', 'garbage', 'oversized'])(
    'that is %s is not reached',
    async (mode) => {
      meta.fail({ mode })
      // Only silence has to be waited for.
      const timeLimitMs = mode === 'silent' ? 500 : undefined
      const impatient = businessAt(meta.url, undefined, timeLimitMs)
      const error = await errorOf(impatient.exchange('the-code'))
      expect(error.kind).toBe('unreachable')
      expect(`${error.message} ${error.stack}`).not.toMatch(/the-code|the secret/)
    },
  )

  it('that refuses the application does not say that the token of a pharmacy has expired', async () => {
    const error = await errorOf(businessAt(meta.url, 'another secret').inspect(meta.newToken('1')))
    expect(error.kind).toBe('refused')
    await expect(business.check(AbortSignal.timeout(5_000))).resolves.toBeUndefined()
  })
})
