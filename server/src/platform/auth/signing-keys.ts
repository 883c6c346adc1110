import { randomUUID } from 'node:crypto'
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import { StartupError } from '../../base/startup-error.ts'
import type { Database } from '../../database/database.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import type { Secrets } from '../secrets.ts'
import {
  ALGORITHM,
  createSigningKeysStore,
  KEYS_PURPOSE,
  type RotationKind,
} from './signing-keys.store.ts'

const Jwk = z.looseObject({ kty: z.string() })

/** Milliseconds between reloads of the keys, and between reloads for an unknown key. */
const RELOAD_MS = 60_000
const UNKNOWN_RELOAD_MS = 5_000

export type SigningKeys = Awaited<ReturnType<typeof loadSigningKeys>>

type Loaded = {
  at: number
  jwks: JSONWebKeySet
  keySet: ReturnType<typeof createLocalJWKSet>
  signer: { kid: string; key: CryptoKey }
}

/**
 * The ES256 keys in the database, the private halves encrypted. The newest signing key signs, and all that are
 * not retired verify. The keys are reloaded once a minute and for an unknown key id, so that a rotation reaches
 * every process. The first key is created here.
 *
 * @throws StartupError if the keys cannot be decrypted: they were encrypted with another APP_SECRET
 */
export async function loadSigningKeys(
  db: Database,
  secrets: Secrets,
  token: { issuer: string; audience: string },
  clock: Clock,
) {
  const store = createSigningKeysStore(db, secrets)
  if ((await store.published()).length === 0) await store.create(0)
  let loaded = await load()
  let loading: Promise<void> | undefined

  async function load(): Promise<Loaded> {
    const at = clock.now()
    const stored = await store.published()
    const newest = stored.find((row) => row.signs)
    if (!newest) throw new Error('there is no signing key')
    const jwks: JSONWebKeySet = { keys: stored.map((row) => Jwk.parse(row.public_jwk)) }
    const key = await importPrivate(secrets, newest.private_jwk)
    return { at, jwks, keySet: createLocalJWKSet(jwks), signer: { kid: newest.kid, key } }
  }

  /** The loaded keys; reloaded when they are older than that, in ms. */
  async function current(olderThan: number): Promise<Loaded> {
    if (clock.now() - loaded.at >= olderThan) {
      loading ??= load()
        .then((fresh) => {
          loaded = fresh
        })
        .finally(() => {
          loading = undefined
        })
      await loading
    }
    return loaded
  }

  const checked = async (text: string, { keySet }: Loaded) => {
    const { payload } = await jwtVerify(text, keySet, {
      ...token,
      algorithms: [ALGORITHM],
      currentDate: new Date(clock.now()),
    })
    return payload
  }

  return {
    /** The public keys (RFC 7517). */
    async jwks(): Promise<JSONWebKeySet> {
      return (await current(RELOAD_MS)).jwks
    },
    async sign(payload: JWTPayload): Promise<string> {
      const { signer } = await current(RELOAD_MS)
      return new SignJWT(payload)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: signer.kid })
        .setIssuer(token.issuer)
        .setAudience(token.audience)
        .setJti(randomUUID())
        .sign(signer.key)
    },
    /** @throws if the token is invalid or expired */
    async verify(text: string): Promise<JWTPayload> {
      try {
        return await checked(text, await current(RELOAD_MS))
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return checked(text, await current(UNKNOWN_RELOAD_MS))
      }
    },
  }
}

async function importPrivate(secrets: Secrets, sealed: Buffer): Promise<CryptoKey> {
  const jwk: JWK = Jwk.parse(JSON.parse(open(secrets, sealed)))
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('the signing key is not an ES256 key')
  return key
}

function open(secrets: Secrets, sealed: Buffer): string {
  try {
    return secrets.decrypt(KEYS_PURPOSE, sealed).toString()
  } catch (error) {
    throw new StartupError(
      'The keys in the database were made with another APP_SECRET: set that one.',
      { cause: error },
    )
  }
}

/**
 * The rotation by the command-line program, in one transaction.
 *
 * @returns the id of the new key, and when it begins to sign (ISO 8601)
 * @throws StartupError if the keys were encrypted with another APP_SECRET: no server could use the new one
 */
export function rotateKeys(db: Database, secrets: Secrets, kind: RotationKind) {
  return db.transaction().execute(async (tx) => {
    // In a new database, this creates the key that signs until the new one does.
    await loadSigningKeys(tx, secrets, { issuer: '', audience: '' }, systemClock)
    const kid = await createSigningKeysStore(tx, secrets).rotate(kind)
    const { signs_from: signsFrom } = await tx
      .selectFrom('auth_signing_keys')
      .select('signs_from')
      .where('kid', '=', kid)
      .executeTakeFirstOrThrow()
    return { kid, signsFrom }
  })
}
