import { AuthClient, type AuthError, type GoTrueClient, type Session } from '@supabase/auth-js'
import { AuthClient as OlderAuthClient } from 'auth-js-2.69'
import { expect, vi } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { password } from '../server.ts'

/** Both generations of the official client, unchanged. Either must work with the service. */
export const generations = ['2.109', '2.69'] as const
export type Generation = (typeof generations)[number]

export type Client = GoTrueClient

/** Where a client looks for its session unless told otherwise. */
export const STORAGE_KEY = 'supabase.auth.token'

export type Storage = {
  kept: Map<string, string>
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export function memoryStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

/** What a browser that was here before has kept. */
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

/** A client as a browser of its own: with its own storage, which nobody else sees. */
export function clientOf(
  generation: Generation,
  server: Pick<AuthServer, 'url'>,
  options: ClientOptions = {},
): Client {
  const all = { url: server.url, storage: memoryStorage(), autoRefreshToken: false, ...options }
  if (generation === '2.109') return new AuthClient(all)
  // Two classes with private members are never assignable. What the tests call of the older one has
  // the shape the newer one declares; where it answers something else the tests say so.
  return new OlderAuthClient(all) as unknown as Client
}

type Result = { data: unknown; error: AuthError | null }

/** What the call gave; fails the test if it was refused. */
export async function ok<R extends Result>(
  call: Promise<R>,
): Promise<Extract<R, { error: null }>['data']> {
  const { data, error } = await call
  if (error) throw error
  return data
}

/** Why the call was refused; fails the test if it was not. */
export async function refusal(call: Promise<{ error: AuthError | null }>): Promise<AuthError> {
  const { error } = await call
  if (!error) throw new Error('was not refused')
  return error
}

let addresses = 0

/** One that nobody had before. */
export function newAddress(): string {
  addresses += 1
  return `persona${addresses}@example.it`
}

export type Person = { id: string; email: string; client: Client; session: Session }

/** Signs in, as a browser of its own. */
export async function signIn(
  generation: Generation,
  server: AuthServer,
  email: string,
  options: ClientOptions & { password?: string } = {},
): Promise<Person> {
  const { password: given = password, ...rest } = options
  const client = clientOf(generation, server, rest)
  const { user, session } = await ok(client.signInWithPassword({ email, password: given }))
  return { id: user.id, email, client, session }
}

/** Somebody new, who is signed in. */
export async function newPerson(
  generation: Generation,
  server: AuthServer,
  options: ClientOptions = {},
): Promise<Person> {
  const email = newAddress()
  await server.addUser(email)
  return signIn(generation, server, email, options)
}

/** It is more than a day since they proved who they are, in every session they have. */
export async function letADayPass({ database }: AuthServer, userId: string): Promise<void> {
  await database.pool.query(
    `update auth_sessions set amr = jsonb_build_array(jsonb_build_object(
      'method', 'password', 'timestamp', extract(epoch from now())::int - 25 * 3600
    )) where user_id = $1`,
    [userId],
  )
}

/** Whether anybody is let in with that password. */
export async function canSignIn(
  generation: Generation,
  server: AuthServer,
  email: string,
  given: string,
): Promise<boolean> {
  const { data } = await clientOf(generation, server).signInWithPassword({
    email,
    password: given,
  })
  return data.session !== null
}

/** The names of the events a client tells, as they come. */
export async function eventsOf(client: Client): Promise<string[]> {
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  await vi.waitFor(() => expect(events).toContain('INITIAL_SESSION'))
  events.length = 0
  return events
}

/** A call without any client. */
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
