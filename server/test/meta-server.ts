import { exchangeFacebookToken, WhatsAppConnection } from '@bancone/contract/whatsapp'
import { type MetaSandbox, startMeta } from '@bancone/sandbox/meta'
import type { FastifyBaseLogger } from 'fastify'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Settings } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testApp, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'

type Headers = { authorization: string }
type Body = {
  code?: string | undefined
  error?: string | undefined
  connection?: WhatsAppConnection | undefined
}

export const metaApplication = {
  appId: '300000000000001',
  appSecret: 'the secret of the application',
  configId: '400000000000001',
  verifyToken: 'the-token-of-the-webhook',
}

export type MetaServer = TestServer & {
  meta: MetaSandbox
  /** The time at the sandbox, in milliseconds. */
  clock: { now: number }
  /** A signed-in pharmacy with the feature. */
  newPharmacy(
    features?: readonly string[],
  ): Promise<{ id: string; email: string; headers: Headers }>
  call(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Headers,
    payload?: object,
  ): Promise<{ status: number; body: Body }>
  /** Connects the account's first number. */
  connect(headers: Headers, accountId?: string): Promise<WhatsAppConnection>
  connection(headers: Headers): Promise<WhatsAppConnection | null>
}

let made = 0

/** The real application with a stand-in for Meta, without running jobs. */
export async function metaServer(
  settings: Partial<Settings> = {},
  log?: FastifyBaseLogger,
): Promise<MetaServer> {
  const clock = { now: Date.now() }
  const meta = await startMeta({
    ...metaApplication,
    verifiesCallbacks: false,
    now: () => clock.now,
  })
  atEnd(meta.close)
  const server = await testServer(
    { meta: { ...metaApplication, graphUrl: meta.url }, ...settings },
    log,
  )
  const Reply = z.object({
    code: z.string().optional(),
    error: z.string().optional(),
    connection: z.optional(WhatsAppConnection),
  })

  const call: MetaServer['call'] = async (method, url, headers, payload) => {
    const reply = await server.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: Reply.parse(reply.json()) }
  }
  return {
    ...server,
    meta,
    clock,
    call,
    async newPharmacy(features = ['whatsapp_integration']) {
      made += 1
      const email = `whatsapp-${made}@example.it`
      const id = await server.addPharmacy({ email, code: `WA-${made}`, features })
      return { id, email, headers: await server.signIn(email) }
    },
    async connect(headers, accountId = meta.accounts.number.id) {
      const code = meta.newCode(accountId)
      const { body } = await call('POST', exchangeFacebookToken.path, headers, { code })
      if (!body.connection) throw new Error(`not connected: ${body.code}`)
      return body.connection
    },
    async connection(headers) {
      const reply = await server.app.inject({ method: 'GET', url: '/api/whatsapp', headers })
      return z.object({ connection: z.nullable(WhatsAppConnection) }).parse(reply.json()).connection
    },
  }
}

/** Three more processes of the application, with the same database and the same Meta, until the end of the test. */
export async function otherProcesses({ database, meta }: MetaServer) {
  const settings = { meta: { ...metaApplication, graphUrl: meta.url } }
  const others = await Promise.all([1, 2, 3].map(() => testApp(database, settings, silentLog)))
  onTestFinished(async () => {
    for (const { app, wired } of others) {
      await app.close()
      await wired.close()
    }
  })
  return others
}
