import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type ListenOptions, listen } from './listening.ts'
import { type MetaAccount, type MetaAccounts, MetaNumber, metaAccounts } from './meta/accounts.ts'
import { metaEvents, webhookSignature } from './meta/events.ts'
import { createMetaFailures, failWith, MetaFailure, sendJson } from './meta/failures.ts'
import { createGraph } from './meta/graph.ts'
import { choicePage, endPage, outcomes, sdkScript } from './meta/login-window.ts'
import type { SentMessage } from './meta/messages.ts'

export type MetaOptions = ListenOptions & {
  appId: string
  appSecret: string
  configId: string
  /** Whether an address for events is verified by a request, as Meta does; true by default. */
  verifiesCallbacks?: boolean
  now?: () => number
  /** Whether accepted messages are reported as sent, delivered and read, a moment later; false by default. */
  reportsMessages?: boolean
}

export type MetaSandbox = {
  /** The base URL of the Graph API, and the origin of the login window. */
  url: string
  accounts: MetaAccounts
  /** Methods and paths of the latest 200 requests to the Graph API, without queries. */
  requests: readonly string[]
  /** All that was sent in the latest 500 requests: URLs, headers and bodies. */
  wire: readonly string[]
  /** The accepted messages. */
  messages: SentMessage[]
  fail(failure: MetaFailure): void
  newCode(accountId: string, scopes?: string[], others?: string[]): string
  newToken(accountId: string, scopes?: string[]): string
  setTokenSeconds(seconds: number): void
  /** That token, or `*` for all, is not valid any more. */
  revoke(token: string): void
  restore(): void
  /** Sends a signed event to the address of its account, or to another one. @returns the status of the response */
  deliver(event: object, url?: string): Promise<number>
  close(): Promise<void>
}

export { metaEvents, signedRequest, webhookSignature } from './meta/events.ts'
export type { MetaFailure, SentMessage }

const MAX_REMEMBERED = 200
const MAX_WIRE = 500
/** Milliseconds between an accepted message and each report. */
const REPORT_MS = 700
const SLOW_MS = 500
const SIXTY_DAYS = 60 * 24 * 3600

const Delivery = z.object({ entry: z.array(z.object({ id: z.string() })).min(1) })
const NumberChange = MetaNumber.partial().extend({ id: z.string() })

/**
 * A stand-in for Meta: the Graph API as far as connections, templates and messages need it, the script and the window of
 * the login, and the webhooks. Other processes set failures with `POST /_control/failure`, change numbers with `/_control/number`,
 * and have events delivered with `/_control/deliver`.
 */
export async function startMeta(options: MetaOptions): Promise<MetaSandbox> {
  const { appId, appSecret, configId, now = Date.now } = options
  const accounts = metaAccounts()
  const all: MetaAccount[] = Object.values(accounts)
  const failures = createMetaFailures()
  const requests: string[] = []
  const wire: string[] = []
  const messages: SentMessage[] = []
  const { verifiesCallbacks = true } = options
  const graph = createGraph({
    appId,
    appSecret,
    accounts: all,
    now,
    verifiesCallbacks,
    tokenSeconds: SIXTY_DAYS,
    onMessage(account, number, message) {
      messages.push(message)
      if (messages.length > MAX_REMEMBERED) messages.shift()
      if (options.reportsMessages)
        void report({ accountId: account.id, numberId: number.id }, message)
    },
  })

  async function report(place: { accountId: string; numberId: string }, message: SentMessage) {
    for (const status of ['sent', 'delivered', 'read'] as const) {
      await pause(REPORT_MS, undefined, { ref: false })
      const told = { id: message.id, timestamp: Math.floor(now() / 1_000) }
      await deliver(metaEvents.status(place, status, told, undefined, message.reference)).catch(
        () => {},
      )
    }
  }

  async function deliver(event: object, url?: string): Promise<number> {
    const accountId = Delivery.parse(event).entry[0]?.id
    const to = url ?? all.find(({ id }) => id === accountId)?.callback?.url
    if (!to) throw new Error(`nothing is subscribed to ${accountId}`)
    const body = JSON.stringify(event)
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': webhookSignature(appSecret, body),
    }
    return (await fetch(to, { method: 'POST', headers, body })).status
  }

  async function control(what: string, told: unknown): Promise<unknown> {
    if (what === 'failure') failures.set(MetaFailure.parse(told))
    else if (what === 'deliver') return { status: await deliver(z.looseObject({}).parse(told)) }
    else if (what === 'messages') return { messages }
    else if (what === 'number') {
      const { id, ...change } = NumberChange.parse(told)
      const number = all.flatMap((account) => account.numbers).find((each) => each.id === id)
      // Only what was named: the schema has defaults.
      const named = Object.keys(z.looseObject({}).parse(told))
      const wanted = Object.entries(change).filter(([field]) => named.includes(field))
      Object.assign(number ?? {}, Object.fromEntries(wanted))
    } else return undefined
    return {}
  }

  /** How the login ended, as the window and the SDK tell it. */
  function ending(name: string, isCodeFirst: boolean): unknown[] {
    const outcome = outcomes.get(name)
    const account = outcome?.account && accounts[outcome.account]
    if (!outcome || outcome.isDenied)
      return [{ sandboxLogin: { status: 'not_authorized', authResponse: null } }]
    const scopes = outcome.lacksPermissions ? ['public_profile'] : undefined
    const others = outcome.isNumberFirst ? [accounts.other.id] : []
    const code = outcome.hasCode && account ? graph.newCode(account.id, scopes, others) : undefined
    const ids = account && {
      ...(outcome.hasNumber && { phone_number_id: account.numbers[0]?.id }),
      ...(outcome.isNumberFirst
        ? { primary_waac_ids: [`8${account.id}`] }
        : { waba_id: account.id }),
      business_id: `7${account.id}`,
    }
    // Meta sends a text.
    const message = JSON.stringify({
      type: 'WA_EMBEDDED_SIGNUP',
      event: outcome.event,
      data: outcome.data ?? ids,
    })
    const parts = [
      ...(outcome.event ? [message] : []),
      ...(code ? [{ sandboxLogin: { status: 'connected', authResponse: { code } } }] : []),
    ]
    return isCodeFirst ? parts.toReversed() : parts
  }

  async function dialog(request: IncomingMessage, response: ServerResponse, url: URL) {
    const isKnown =
      url.searchParams.get('client_id') === appId && url.searchParams.get('config_id') === configId
    const html = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body)
    if (!isKnown) return html(400, '<p>App non valida</p>')
    if (request.method !== 'POST') return html(200, choicePage(url.searchParams.toString()))
    const form = new URLSearchParams(await text(request))
    const parts = ending(form.get('outcome') ?? '', form.has('codeFirst'))
    const opener = url.searchParams.get('origin') ?? ''
    return html(200, endPage(opener, parts, parts.length * 200 + 200))
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const { pathname } = url
    const method = request.method ?? 'GET'
    if (pathname.startsWith('/_control/')) {
      const told: unknown = JSON.parse((await text(request)) || '{}')
      const done = await control(pathname.slice('/_control/'.length), told)
      return sendJson(response, done ? 200 : 404, done ?? {})
    }
    if (pathname.endsWith('/sdk.js')) {
      const type = { 'content-type': 'text/javascript; charset=utf-8' }
      return response.writeHead(200, { ...cors, ...type }).end(sdkScript(origin))
    }
    if (pathname.endsWith('/dialog/oauth')) return dialog(request, response, url)
    const path = pathname.replace(/^\/v\d+\.\d+\//, '')
    requests.push(`${method} /${path}`)
    if (requests.length > MAX_REMEMBERED) requests.shift()
    const sent = await text(request)
    wire.push([request.url, JSON.stringify(request.headers), sent].join('\n'))
    if (wire.length > MAX_WIRE) wire.shift()
    const failure = failures.of(`${method} /${path}`)
    if (failure.mode === 'slow') await pause(SLOW_MS)
    else if (failure.mode !== 'ok' && failure.mode !== 'lost-reply')
      return failWith(response, failure)
    const body = z.looseObject({}).parse(JSON.parse(sent || '{}'))
    const { authorization } = request.headers
    const reply = await graph.answer({ method, path, query: url.searchParams, body, authorization })
    if (failure.mode === 'lost-reply') return response.socket?.destroy()
    return sendJson(response, reply.status, reply.body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  const { origin, close } = await listen(server, options)

  return {
    url: origin,
    accounts,
    requests,
    wire,
    messages,
    fail: failures.set,
    newCode: graph.newCode,
    newToken: graph.newToken,
    setTokenSeconds: graph.setTokenSeconds,
    revoke: graph.revoke,
    restore: graph.restore,
    deliver,
    close,
  }
}

/** As Meta's: the script may be loaded by pages that isolate themselves. */
const cors = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}
