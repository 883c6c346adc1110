import { AsyncLocalStorage } from 'node:async_hooks'

/** Who performs a request, for the audit log. */
export type RequestActor = {
  /** The user; with role `key` the API key, or null for the admin key. */
  id: string | null
  role: 'admin' | 'owner' | 'staff' | 'key'
  /** The pharmacy of a member, an API key or a support session; null for an administrator outside one. */
  pharmacyId: string | null
}

export type RequestContext = {
  requestId: string
  address: string
  agent: string | null
  /** Undefined until access has been checked, and in requests that concern an account alone. */
  actor?: RequestActor
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Runs `work`, and what it starts, in the context of a request. */
export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work)
}

/** The request that the caller works for; undefined in a job. */
export function currentRequest(): Readonly<RequestContext> | undefined {
  return storage.getStore()
}

export function setRequestActor(actor: RequestActor): void {
  const context = storage.getStore()
  if (context) context.actor = actor
}
