/**
 * What a token may do in a topic. `expiresAt` is in milliseconds since 1970; `dependsOn`: the accounts
 * whose change may end it, their own and others.
 */
export type Grant = {
  dependsOn: readonly string[]
  sessionId: string
  expiresAt: number
  write: boolean
}

/** Why not: the token opens nothing at all, or not this topic. `reason` is shown to the client. */
export type Refusal = { refused: 'token' | 'topic'; reason: string }

/**
 * Decides who may join a topic. The application gives it: nothing here knows what topics there are.
 *
 * @throws whatever kept it from deciding, an outage of the database for one: that is no refusal
 */
export type Authorize = (token: string, topic: string) => Promise<Grant | Refusal>

export function looksLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}
