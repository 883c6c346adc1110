import type { Secrets } from '../secrets.ts'

/** The encryption purpose of TOTP secrets. */
const PURPOSE = 'second factors'

/**
 * The context that a secret is encrypted with. An attacker with write access to the database cannot move the
 * secret of a factor of their own to another user.
 */
const rowOf = (userId: string, factorId: string) => `${userId} ${factorId}`

export function sealFactor(secrets: Secrets, userId: string, factorId: string, secret: Buffer) {
  return secrets.encrypt(PURPOSE, secret, rowOf(userId, factorId))
}

/** @throws when it was encrypted with another secret, or for another row */
export function openFactor(secrets: Secrets, userId: string, factorId: string, sealed: Buffer) {
  return secrets.decrypt(PURPOSE, sealed, rowOf(userId, factorId))
}
