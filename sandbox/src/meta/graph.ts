import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { register as applyRegistration, type MetaAccount, type MetaNumber } from './accounts.ts'
import { graphErrorBody } from './failures.ts'
import { acceptMessage, addTemplate, type Outcome, type SentMessage } from './messages.ts'

/** Milliseconds for which a code is valid. */
const CODE_MS = 30_000

const TOKEN_START = 'EAASandbox'
const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging']

const Grant = z.object({
  accountId: z.string(),
  /** Further accounts that were authorized, which Meta names before. */
  others: z.array(z.string()).default([]),
  scopes: z.array(z.string()),
  /** Seconds since 1970; 0: never. */
  expiresAt: z.number(),
})
type Grant = z.infer<typeof Grant>

export type GraphRequest = {
  method: string
  /** Without the version. */
  path: string
  query: URLSearchParams
  body: Record<string, unknown>
  authorization: string | undefined
}

type Reply = { status: number; body: unknown }

export type GraphOptions = {
  appId: string
  appSecret: string
  accounts: readonly MetaAccount[]
  now: () => number
  /** Whether an address for events is verified as Meta does. */
  verifiesCallbacks: boolean
  /** Seconds until a token expires; 0: never. */
  tokenSeconds: number
  /** A message was accepted. */
  onMessage(account: MetaAccount, number: MetaNumber, message: SentMessage): void
}

const refuse = (code: number, message: string, status = 400): Reply => ({
  status,
  body: graphErrorBody(code, `(#${code}) ${message}`, message),
})
const ok = (body: unknown = { success: true }): Reply => ({ status: 200, body })

/** The part of the Graph API that a connection uses. */
export function createGraph(options: GraphOptions) {
  const { appId, appSecret, accounts, now, verifiesCallbacks } = options
  const codes = new Map<string, { grant: Grant; issuedAt: number; isUsed: boolean }>()
  const revoked = new Set<string>()
  let { tokenSeconds } = options

  /** A token contains its grant, so that it outlives a restart of the stand-in. */
  const tokenOf = (grant: Grant) =>
    TOKEN_START +
    Buffer.from(JSON.stringify({ ...grant, salt: randomBytes(6).toString('hex') })).toString(
      'base64url',
    )

  function grantOf(token: string): Grant | undefined {
    if (!token.startsWith(TOKEN_START) || revoked.has(token) || revoked.has('*')) return undefined
    try {
      const text = Buffer.from(token.slice(TOKEN_START.length), 'base64url').toString()
      const grant = Grant.parse(JSON.parse(text))
      return grant.expiresAt !== 0 && grant.expiresAt * 1_000 < now() ? undefined : grant
    } catch {
      return undefined
    }
  }

  function exchange(query: URLSearchParams): Reply {
    if (query.get('client_id') !== appId || query.get('client_secret') !== appSecret)
      return refuse(101, 'Error validating application')
    if (query.has('redirect_uri')) return refuse(100, 'redirect_uri does not match')
    const found = codes.get(query.get('code') ?? '')
    if (!found) return refuse(100, 'Invalid verification code format')
    if (found.isUsed) return refuse(100, 'This authorization code has been used')
    if (now() - found.issuedAt > CODE_MS) return refuse(100, 'This authorization code has expired')
    found.isUsed = true
    return ok({ access_token: tokenOf(found.grant), token_type: 'bearer' })
  }

  function debug(query: URLSearchParams): Reply {
    if (query.get('access_token') !== `${appId}|${appSecret}`)
      return refuse(190, 'Invalid OAuth access token')
    const asked = query.get('input_token') ?? ''
    if (asked === `${appId}|${appSecret}`) return ok({ data: { app_id: appId, is_valid: true } })
    const grant = grantOf(asked)
    if (!grant) return ok({ data: { app_id: appId, is_valid: false, scopes: [], expires_at: 0 } })
    return ok({
      data: {
        app_id: appId,
        is_valid: true,
        user_id: `9${grant.accountId}`,
        expires_at: grant.expiresAt,
        scopes: grant.scopes,
        granular_scopes: grant.scopes.map((scope) => ({
          scope,
          target_ids: [...grant.others, grant.accountId],
        })),
      },
    })
  }

  async function subscribe(account: MetaAccount, body: Record<string, unknown>): Promise<Reply> {
    const url = body['override_callback_uri']
    if (typeof url !== 'string') {
      account.isSubscribed = true
      return ok()
    }
    if (!account.isSubscribed)
      return refuse(
        100,
        'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
      )
    const verifyToken = String(body['verify_token'])
    if (verifiesCallbacks && !(await isVerified(url, verifyToken)))
      return refuse(2200, 'Callback verification failed')
    account.callback = { url, verifyToken }
    return ok()
  }

  function register(number: MetaNumber, body: Record<string, unknown>): Reply {
    const pin = String(body['pin'])
    if (number.code_verification_status === 'NOT_VERIFIED')
      return refuse(133006, 'Phone number needs to be verified before registering')
    if (number.pin !== null && number.pin !== pin)
      return refuse(133005, 'Two step verification PIN mismatch')
    applyRegistration(number, pin)
    return ok()
  }

  const replyOf = <T>(outcome: Outcome<T>, body: (done: T) => unknown): Reply =>
    'refused' in outcome
      ? refuse(outcome.refused.code, outcome.refused.message)
      : ok(body(outcome.done))

  function ofTemplates(account: MetaAccount, { method, body }: GraphRequest): Reply {
    if (method === 'POST') return replyOf(addTemplate(account, body), (made) => made)
    return ok({
      data: account.templates.map(({ components: _, ...template }) => template),
    })
  }

  function ofNumber(account: MetaAccount, number: MetaNumber, edge: string, request: GraphRequest) {
    if (edge === 'register') return register(number, request.body)
    if (edge !== 'messages') return ok(shown(number))
    if (number.status !== 'CONNECTED') return refuse(133_010, 'Account not registered')
    return replyOf(acceptMessage(account, request.body), (message) => {
      options.onMessage(account, number, message)
      return {
        messaging_product: 'whatsapp',
        contacts: [{ input: message.to, wa_id: message.to }],
        messages: [{ id: message.id, message_status: 'accepted' }],
      }
    })
  }

  async function ofAccount(account: MetaAccount, edge: string, request: GraphRequest) {
    if (edge === 'message_templates') return ofTemplates(account, request)
    if (edge === 'phone_numbers') return ok({ data: account.numbers.map(shown) })
    if (edge === 'subscribed_apps' && request.method === 'POST')
      return subscribe(account, request.body)
    if (edge === 'subscribed_apps') {
      Object.assign(account, { isSubscribed: false, callback: null })
      return ok()
    }
    const { id, name, ownerName } = account
    return ok({ id, name, owner_business_info: { id: `7${id}`, name: ownerName } })
  }

  async function answer(request: GraphRequest): Promise<Reply> {
    const { path, query, authorization = '' } = request
    if (path === 'oauth/access_token') return exchange(query)
    if (path === 'debug_token') return debug(query)
    const token = authorization.replace(/^Bearer /, '')
    const grant = grantOf(token)
    if (!grant) return refuse(190, 'Error validating access token: Session has expired', 401)
    const proof = createHmac('sha256', appSecret).update(token).digest('hex')
    if (query.get('appsecret_proof') !== proof) return refuse(100, 'Invalid appsecret_proof')
    if (!grant.scopes.includes('whatsapp_business_management'))
      return refuse(200, 'You do not have the necessary permissions', 403)
    const [id = '', edge = ''] = path.split('/')
    const account = accounts
      .filter((each) => each.id === grant.accountId || grant.others.includes(each.id))
      .find((each) => each.id === id || each.numbers.some((its) => its.id === id))
    const number = account?.numbers.find((each) => each.id === id)
    if (account?.id === id) return ofAccount(account, edge, request)
    if (account && number) return ofNumber(account, number, edge, request)
    return refuse(100, 'Unsupported get request. Object does not exist')
  }

  return {
    answer,
    /** A code that the login window gives. */
    newCode(accountId: string, scopes = SCOPES, others: string[] = []): string {
      const code = `AQ${randomBytes(24).toString('base64url')}`
      const expiresAt = tokenSeconds === 0 ? 0 : Math.floor(now() / 1_000) + tokenSeconds
      codes.set(code, {
        grant: { accountId, others, scopes, expiresAt },
        issuedAt: now(),
        isUsed: false,
      })
      return code
    },
    /** A token as a person makes it by hand. */
    newToken: (accountId: string, scopes = SCOPES) =>
      tokenOf({ accountId, others: [], scopes, expiresAt: 0 }),
    /** The token, or `*` for all, is not valid any more. */
    revoke: (token: string) => revoked.add(token),
    restore: () => revoked.clear(),
    /** Tokens given from now on expire after so many seconds; 0: never. */
    setTokenSeconds(seconds: number) {
      tokenSeconds = seconds
    },
  }
}

function shown({ pin: _pin, ...number }: MetaNumber) {
  return number
}

async function isVerified(url: string, verifyToken: string): Promise<boolean> {
  const challenge = randomBytes(8).toString('hex')
  const asked = new URL(url)
  asked.searchParams.set('hub.mode', 'subscribe')
  asked.searchParams.set('hub.challenge', challenge)
  asked.searchParams.set('hub.verify_token', verifyToken)
  try {
    const reply = await fetch(asked, { signal: AbortSignal.timeout(5_000) })
    return reply.ok && (await reply.text()) === challenge
  } catch {
    return false
  }
}
