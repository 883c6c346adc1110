import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AuthError } from './auth-error.ts'
import { sameHash } from './one-time-tokens.ts'

const Challenge = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/)

const Given = z.object({
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
})

/**
 * The code challenge in a request body; null when there is none (clients send null in the implicit flow). S256
 * is the only method: a plain challenge equals its verifier (RFC 7636, 7.2).
 *
 * @throws AuthError `validation_failed`
 */
export function codeChallengeOf(body: unknown): string | null {
  const given = Given.safeParse(body ?? {})
  const { code_challenge: challenge, code_challenge_method: method } = given.data ?? {}
  if (given.success && !challenge && !method) return null
  if (method?.toLowerCase() !== 's256') {
    throw new AuthError('validation_failed', {
      message: 'PKCE flow requires code_challenge and code_challenge_method s256',
    })
  }
  const parsed = Challenge.safeParse(challenge)
  if (!parsed.success) {
    throw new AuthError('validation_failed', {
      message: 'code challenge has to be between 43 and 128 characters of A-Z a-z 0-9 - . _ ~',
    })
  }
  return parsed.data
}

export function matchesCodeChallenge(challenge: string, verifier: string): boolean {
  const answer = createHash('sha256').update(verifier).digest('base64url')
  return sameHash(Buffer.from(challenge), Buffer.from(answer))
}
