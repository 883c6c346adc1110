import {
  type AccountActivity,
  type AccountSession,
  type ActivityKind,
  type Device,
  endAccountSession,
  listAccountActivity,
  listAccountSessions,
} from '@bancone/contract/account'
import { getOwnAdministrator } from '@bancone/contract/administrators'
import { listApiKeys } from '@bancone/contract/api-keys'
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { z } from 'zod/mini'
import type { Area } from '../src/lib/session-state.ts'
import { authError } from './auth-error.ts'
import { administrator, appFactor, sessionOf, userId } from './fixtures.ts'
import { renderApp, serverWith, storeSession } from './render-app.tsx'

export const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
export const RIGHT_CODE = '123456'
export const RIGHT_PASSWORD = 'quella-di-adesso'

const chrome: Device = { browser: 'Chrome', system: 'Windows', kind: 'desktop' }
const unknown: Device = { browser: null, system: null, kind: 'other' }

/** The n-th device; the first is the current one. */
export function device(n: number, traits: Partial<AccountSession> = {}): AccountSession {
  return {
    id: `00000000-0000-4000-8000-00000000000${n}`,
    device: n === 1 ? chrome : { browser: 'Safari', system: 'iOS', kind: 'phone' },
    address: `93.40.12.${n}`,
    startedAt: '2026-01-05T07:30:00Z',
    lastUsedAt: '2026-01-06T07:30:00Z',
    secondFactor: false,
    isCurrent: n === 1,
    ...traits,
  }
}

export const unknownDevice = { device: unknown, address: null }

/** The n-th activity entry; a higher n is later. */
export function event(
  n: number,
  kind: ActivityKind,
  traits: Partial<AccountActivity> = {},
): AccountActivity {
  const at = new Date(Date.UTC(2026, 0, 1, 8, n)).toISOString()
  return { id: String(n), at, kind, method: null, device: chrome, address: '93.40.12.1', ...traits }
}

function codes(round: number): string[] {
  return Array.from({ length: 10 }, (_, n) => `aaaa${round}-bbb${n}c`)
}

const Change = z.looseObject({
  email: z.optional(z.string()),
  password: z.optional(z.string()),
  current_password: z.optional(z.string()),
  data: z.optional(z.looseObject({})),
})

/** A stub of the authentication service with one account. The test may change `account`. */
export function accountServer(traits: { apps?: string[] } = {}) {
  const account = {
    email: sessionOf().user.email,
    metadata: {} as Record<string, unknown>,
    next: null as { address: string; askedAt: string } | null,
    apps: traits.apps ?? [],
    identities: [] as Record<string, unknown>[],
    codesLeft: 10,
    codesTotal: 10,
    devices: [device(1), device(2)],
    events: [event(1, 'signed_in', { method: 'password' })],
    /** How many apps were enrolled, and how many times recovery codes were generated. */
    begun: 0,
    made: 0,
  }
  let name = ''

  const user = () => ({
    ...sessionOf(userId, { email: account.email }).user,
    user_metadata: account.metadata,
    identities: [
      { id: userId, identity_id: userId, user_id: userId, provider: 'email' },
      ...account.identities,
    ],
    ...(account.next && {
      new_email: account.next.address,
      email_change_sent_at: account.next.askedAt,
    }),
    factors: account.apps.map((app) => ({ ...appFactor(app), created_at: '2026-01-05T07:30:00Z' })),
  })
  const session = (elevated = account.apps.length > 0) => ({
    ...sessionOf(userId, { email: account.email, elevated }),
    user: user(),
  })

  const api = serverWith([])
    .on(listAccountSessions, () => ({ sessions: account.devices }))
    .on(endAccountSession, ({ params }) => {
      account.devices = account.devices.filter(({ id }) => id !== params.sessionId)
      return {}
    })
    .on(listAccountActivity, () => ({ events: account.events, hasMore: false }))
    .on(listApiKeys, () => ({ keys: [] }))
    .on(getOwnAdministrator, () => administrator)
    .auth('GET', '/user', () => Response.json(user()))
    .auth('PUT', '/user', (body) => {
      const { email, data, password, current_password: proof } = Change.parse(body)
      if (password === undefined && proof !== undefined && proof !== RIGHT_PASSWORD) {
        return authError(400, 'current_password_invalid')
      }
      if (data) account.metadata = { ...account.metadata, ...data }
      if (email === account.email) account.next = null
      else if (email) account.next = { address: email, askedAt: new Date().toISOString() }
      return Response.json(user())
    })
    .auth('POST', '/resend', () => Response.json({}))
    .auth('GET', '/reauthenticate', () => Response.json({}))
    .auth('POST', '/factors', (body) => {
      account.begun += 1
      name = z.looseObject({ friendly_name: z.string() }).parse(body).friendly_name
      const uri = `otpauth://totp/Bancone:anna?secret=${SECRET}&issuer=Bancone`
      const qr_code = `<svg xmlns="http://www.w3.org/2000/svg" fill="#000"><!-- ${account.begun} --></svg>`
      return Response.json({ id: 'begun', type: 'totp', totp: { qr_code, secret: SECRET, uri } })
    })
    .auth('POST', '/factors/[^/]+/challenge', () =>
      Response.json({ id: 'challenge', type: 'totp', expires_at: 9_999_999_999 }),
    )
    .auth('POST', '/factors/[^/]+/verify', (body) => {
      const { code } = z.looseObject({ code: z.string() }).parse(body)
      if (code !== RIGHT_CODE) return authError(422, 'mfa_verification_failed')
      account.apps = [...account.apps, name]
      return Response.json(session())
    })
    .auth('DELETE', '/factors/[^/]+', (_, url) => {
      account.apps = account.apps.filter((app) => !url.pathname.endsWith(appFactor(app).id))
      return Response.json({ id: 'gone' })
    })
    .auth('POST', '/token', () => Response.json(session()))
    .auth('GET', '/factors/recovery-codes', () =>
      Response.json({ total: account.codesTotal, remaining: account.codesLeft }),
    )
    .auth('POST', '/factors/recovery-codes/regenerate', () => {
      account.made += 1
      account.codesLeft = 10
      account.codesTotal = 10
      return Response.json({ codes: codes(account.made) })
    })
  return { account, api, session, codes }
}

/** Renders the account page in the application, for a signed-in user. */
export function openAccount(
  server: ReturnType<typeof accountServer>,
  { area = 'pharmacy', address = '' }: { area?: Area; address?: string } = {},
) {
  const { api, session } = server
  storeSession(area, session())
  const path = area === 'admin' ? '/admin/account' : '/account'
  return renderApp(path + address, api, { signedIn: false })
}

/** Confirms the dialog that asks for the password again. */
export async function reauthenticate(user: UserEvent) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Conferma che sei tu' }))
  await user.type(dialog.getByLabelText('La tua password'), RIGHT_PASSWORD)
  await user.click(dialog.getByRole('button', { name: 'Continua' }))
}

/** A section of the page, once it is rendered. */
export async function section(title: string) {
  return within(await screen.findByRole('region', { name: title }))
}
