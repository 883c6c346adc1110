import { signedRequest } from '@bancone/sandbox/meta'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { type MetaServer, metaApplication, metaServer } from '../../../test/meta-server.ts'

let server: MetaServer
let owner: { authorization: string }
let metaUser: string

beforeAll(async () => {
  server = await metaServer()
  ;({ headers: owner } = await server.newPharmacy())
  // As the sandbox names the user of the token.
  metaUser = `9${server.meta.accounts.number.id}`
})
beforeEach(async () => void (await server.connect(owner)))

function post(what: string, request: string) {
  return server.app.inject({
    method: 'POST',
    url: `/webhooks/whatsapp/${what}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ signed_request: request }).toString(),
  })
}
const signed = (payload: object, secret = metaApplication.appSecret) =>
  signedRequest(secret, { algorithm: 'HMAC-SHA256', ...payload })

it.each(['deauthorize', 'data-deletion'])('%s is for Meta alone', async (what) => {
  const request = signed({ user_id: metaUser })
  const [signature = '', payload = ''] = request.split('.')
  const forged = signedRequest('x', { user_id: '1' }).split('.')[1] ?? ''
  for (const wrong of [
    signed({ user_id: metaUser }, 'another secret'),
    `${signature}.${forged}`,
    `${signature}=.${payload}`,
    payload,
    '',
    signed({ user_id: "1' or true" }),
  ])
    expect((await post(what, wrong)).statusCode).toBe(401)
  expect((await server.connection(owner))?.state).toBe('connected')
})

it('a person who removes the application ends the connection', async () => {
  expect((await post('deauthorize', signed({ user_id: '12345' }))).statusCode).toBe(200)
  expect((await server.connection(owner))?.state).toBe('connected')
  expect((await post('deauthorize', signed({ user_id: metaUser }))).statusCode).toBe(200)
  expect((await server.connection(owner))?.state).toBe('disconnected')
})

it('a person who asks for the deletion of data gets it, and a page that says so', async () => {
  const reply = await post('data-deletion', signed({ user_id: metaUser }))
  const answer = z
    .strictObject({ url: z.string(), confirmation_code: z.string() })
    .parse(reply.json())
  expect(answer.url).toBe(
    `http://localhost:3000/whatsapp-data-deletion/${answer.confirmation_code}`,
  )
  expect(await server.connection(owner)).toBeNull()
  const page = await server.app.inject(new URL(answer.url).pathname)
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<h1>Dati eliminati</h1>')
  expect(page.body).not.toMatch(/San Marco|\+39|100000000000001/)
  const none = await post('data-deletion', signed({ user_id: metaUser }))
  const { confirmation_code: code } = z.looseObject({}).parse(none.json())
  expect((await server.app.inject(`/whatsapp-data-deletion/${String(code)}`)).body).toContain(
    'Nessun dato da eliminare',
  )
  expect((await server.app.inject(`/whatsapp-data-deletion/${'0'.repeat(32)}`)).statusCode).toBe(
    404,
  )
})
