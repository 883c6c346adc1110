import { AuthClient, type AuthError, type GoTrueClient, type Session } from '@supabase/auth-js'
import { expect, vi } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { password } from '../server.ts'

export type Client = GoTrueClient

/** The client's default storage key. */
export const STORAGE_KEY = 'supabase.auth.token'

export type Storage = {
  items: Map<string, string>
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export function memoryStorage(): Storage {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/** The storage of a browser with an earlier session. */
export function storageWith(session: Partial<Session>): Storage {
  const storage = memoryStorage()
  storage.setItem(STORAGE_KEY, JSON.stringify(session))
  return storage
}

export type ClientOptions = {
  flowType?: 'implicit' | 'pkce'
  storage?: Storage
  storageKey?: string
  headers?: Record<string, string>
  autoRefreshToken?: boolean
  fetch?: typeof fetch
}

/** A client like a separate browser, with its own storage. */
export function clientOf(server: Pick<AuthServer, 'url'>, options: ClientOptions = {}): Client {
  const all = { url: server.url, storage: memoryStorage(), autoRefreshToken: false, ...options }
  return new AuthClient(all)
}

type Result = { data: unknown; error: AuthError | null }

/** The data of a call; fails the test if it was refused. */
export async function ok<R extends Result>(
  call: Promise<R>,
): Promise<Extract<R, { error: null }>['data']> {
  const { data, error } = await call
  if (error) throw error
  return data
}

/** The error of a call; fails the test if it was not refused. */
export async function refusal(call: Call): Promise<AuthError> {
  const { error } = await call
  if (!error) throw new Error('was not refused')
  return error
}

type Call = Promise<{ error: AuthError | null }>

/** Expects that the call is refused with that code, and with the status and message if they are given. */
export async function refused(
  call: Call,
  code: string,
  status?: number,
  message?: string,
): Promise<void> {
  const { code: of, status: answered, message: told } = await refusal(call)
  expect([of, answered, told]).toEqual([code, status ?? answered, message ?? told])
}

/** Expects that the client has no session, or learns that it has ended. */
export async function sessionMissing(call: Call): Promise<void> {
  expect(await refusal(call)).toMatchObject({ name: 'AuthSessionMissingError' })
}

let addresses = 0

/** An unused mail address. */
export function newAddress(): string {
  addresses += 1
  return `persona${addresses}@example.it`
}

export type Person = { id: string; email: string; client: Client; session: Session }

/** Signs in with a new client. */
export async function signIn(
  server: AuthServer,
  email: string,
  options: ClientOptions & { password?: string } = {},
): Promise<Person> {
  const { password: given = password, ...rest } = options
  const client = clientOf(server, rest)
  const { user, session } = await ok(client.signInWithPassword({ email, password: given }))
  return { id: user.id, email, client, session }
}

/** A new, signed-in user. */
export async function newPerson(server: AuthServer, options: ClientOptions = {}): Promise<Person> {
  const email = newAddress()
  await server.addUser(email)
  return signIn(server, email, options)
}

/** Sets the last authentication of all the user's sessions back by more than a day. */
export async function ageSessions(
  { database }: Pick<AuthServer, 'database'>,
  userId: string,
): Promise<void> {
  await database.pool.query(
    `update auth_sessions set amr = jsonb_build_array(jsonb_build_object(
      'method', 'password', 'timestamp', extract(epoch from now())::int - 25 * 3600
    )) where user_id = $1`,
    [userId],
  )
}

/** Whether the password signs in. */
export async function canSignIn(
  server: AuthServer,
  email: string,
  given: string,
): Promise<boolean> {
  const { data } = await clientOf(server).signInWithPassword({
    email,
    password: given,
  })
  return data.session !== null
}

/** The names of the client's events, as they are emitted. */
export async function eventsOf(client: Client): Promise<string[]> {
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  await vi.waitFor(() => expect(events).toContain('INITIAL_SESSION'))
  events.length = 0
  return events
}

/** A request without a client library. */
export async function raw(
  server: AuthServer,
  method: string,
  path: string,
  { body, token, headers }: { body?: object; token?: string; headers?: object } = {},
): Promise<{ status: number; headers: Headers; json: Record<string, unknown> }> {
  const reply = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body && { 'content-type': 'application/json;charset=UTF-8' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const json = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return { status: reply.status, headers: reply.headers, json }
}

/** Expects that a request is refused with that status and code. */
export async function rawRefused(
  call: ReturnType<typeof raw>,
  status: number,
  code: string,
): Promise<void> {
  const reply = await call
  expect([reply.status, reply.json]).toMatchObject([status, { error_code: code }])
}
