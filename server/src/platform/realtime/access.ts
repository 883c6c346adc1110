/**
 * What a token may do in a topic. `expiresAt` is in milliseconds since 1970. `dependsOn`: the ids of the
 * accounts whose change may revoke the grant.
 */
export type Grant = {
  dependsOn: readonly string[]
  sessionId: string
  expiresAt: number
  write: boolean
}

/** Why access is refused: the token is invalid, or not valid for this topic. The client receives `reason`. */
export type Refusal = { refused: 'token' | 'topic'; reason: string }

/**
 * Decides who may join a topic. The application provides it, because it decides which topics there are.
 *
 * @throws when it cannot decide, for example during an outage of the database; that is not a refusal
 */
export type Authorize = (token: string, topic: string) => Promise<Grant | Refusal>

export function looksLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)
}
