import { randomUUID } from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import type { Secrets } from '../secrets.ts'

const ALGORITHM = 'ES256'
const PURPOSE = 'auth signing keys'

const Jwk = z.looseObject({ kty: z.string() })

export type SigningKeys = {
  /** The public keys, for anyone who wants to check a token (RFC 7517). */
  jwks(): JSONWebKeySet
  sign(payload: JWTPayload): Promise<string>
  /** @throws if the token is not ours, or has expired */
  verify(token: string): Promise<JWTPayload>
}

/**
 * ES256 keys kept in the database, the private halves encrypted; the newest signs and all that are not
 * retired verify. The first one is made when there is none.
 *
 * @throws StartupError if the keys cannot be decrypted: APP_SECRET is not the one they were made with
 */
export async function loadSigningKeys(
  db: Database,
  secrets: Secrets,
  token: { issuer: string; audience: string },
): Promise<SigningKeys> {
  if ((await storedKeys(db)).length === 0) await createKey(db, secrets)
  const stored = await storedKeys(db)
  const newest = stored[0]
  if (!newest) throw new Error('there is no signing key')
  const privateKey = await importPrivate(secrets, newest.private_jwk)
  const jwks: JSONWebKeySet = { keys: stored.map((row) => Jwk.parse(row.public_jwk)) }
  const keySet = createLocalJWKSet(jwks)
  return {
    jwks: () => jwks,
    sign: (payload) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: newest.kid })
        .setIssuer(token.issuer)
        .setAudience(token.audience)
        .setJti(randomUUID())
        .sign(privateKey),
    async verify(text) {
      const { payload } = await jwtVerify(text, keySet, {
        algorithms: [ALGORITHM],
        issuer: token.issuer,
        audience: token.audience,
      })
      return payload
    },
  }
}

function storedKeys(db: Database) {
  return db
    .selectFrom('auth_signing_keys')
    .select(['kid', 'public_jwk', 'private_jwk'])
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute()
}

async function createKey(db: Database, secrets: Secrets): Promise<void> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const privateJwk = await exportJWK(pair.privateKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  await db
    .insertInto('auth_signing_keys')
    .values({
      kid,
      public_jwk: JSON.stringify({ ...publicJwk, kid, alg: ALGORITHM, use: 'sig' }),
      private_jwk: secrets.encrypt(PURPOSE, Buffer.from(JSON.stringify(privateJwk))),
    })
    .execute()
}

async function importPrivate(secrets: Secrets, sealed: Buffer): Promise<CryptoKey> {
  const jwk: JWK = Jwk.parse(JSON.parse(open(secrets, sealed)))
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('the signing key is not an ES256 key')
  return key
}

function open(secrets: Secrets, sealed: Buffer): string {
  try {
    return secrets.decrypt(PURPOSE, sealed).toString()
  } catch (error) {
    throw new StartupError(
      'The keys in the database were made with another APP_SECRET: set that one.',
      { cause: error },
    )
  }
}
