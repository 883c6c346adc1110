import type { Clock } from '../../ports/clock.ts'
import { canAccess, type Principal } from './access.ts'
import type { BucketsStore } from './buckets.store.ts'
import { isObjectName, type ObjectLocation } from './names.ts'
import type { ObjectsStore, StoredObject } from './objects.store.ts'
import { parseTransform, serializeTransform, type TransformOptions } from './renditions.ts'
import type { SignedTokens, TokenRefusal } from './signed-tokens.ts'
import { StorageError, type StorageErrorCode } from './storage-error.ts'

const refusals = {
  invalid: 'InvalidJWT',
  mismatch: 'InvalidSignature',
  expired: 'ExpiredToken',
} as const satisfies Record<TokenRefusal, StorageErrorCode>

/** The error of an entry, for missing and inaccessible objects alike. */
const NOT_SIGNED = 'Either the object does not exist or you do not have access to it'

type Dependencies = {
  tokens: SignedTokens
  objects: Pick<ObjectsStore, 'find' | 'existingNames'>
  buckets: Pick<BucketsStore, 'find'>
  /** The current principal of a user id; null for another server with the admin key. */
  principalOf(owner: string | null): Promise<Principal | undefined>
  clock: Clock
}

/** The object of a signed URL, and the remaining lifetime. */
export type ResolvedSignedUrl = { object: StoredObject; expiresAt: Date; secondsLeft: number }

export type SignedUrls = ReturnType<typeof createSignedUrls>

/**
 * Signed URLs, which download or upload an object without a session. They end with their lifetime, or earlier
 * when their signer loses access. URLs are relative to `/storage/v1`.
 */
export function createSignedUrls(dependencies: Dependencies) {
  const { tokens, objects, buckets, principalOf, clock } = dependencies

  async function requireSignerAccess(owner: string | null, name: string): Promise<Principal> {
    const principal = await principalOf(owner)
    if (!principal || !canAccess(principal, name)) throw new StorageError('AccessDenied')
    return principal
  }

  async function openDownload(token: string, location: ObjectLocation) {
    const claims = accepted(await tokens.readDownload(token, urlOf(location)))
    await requireSignerAccess(claims.owner, location.name)
    return claims
  }

  async function found(location: ObjectLocation, exp: number): Promise<ResolvedSignedUrl> {
    const object = await objects.find(location)
    if (!object) throw new StorageError('NoSuchKey')
    const secondsLeft = Math.max(0, Math.floor(exp - clock.now() / 1000))
    return { object, expiresAt: new Date(exp * 1000), secondsLeft }
  }

  const address = async (
    principal: Principal,
    location: ObjectLocation,
    seconds: number,
    transform?: TransformOptions,
  ) => {
    const signed = {
      owner: principal.userId,
      transform: transform && serializeTransform(transform),
    }
    const token = await tokens.download(urlOf(location), seconds, signed)
    return `/${transform ? 'render/image' : 'object'}/sign/${pathOf(location)}?token=${token}`
  }

  return {
    /** @throws StorageError `NoSuchKey`, also for objects that the caller may not access */
    async sign(
      principal: Principal | undefined,
      location: ObjectLocation,
      { seconds, transform }: { seconds: number; transform?: TransformOptions | undefined },
    ): Promise<string> {
      if (!principal || !canAccess(principal, location.name) || !(await objects.find(location))) {
        throw new StorageError('NoSuchKey')
      }
      return address(principal, location, seconds, transform)
    },

    /** Signs several objects of a bucket; each entry has its own error. */
    async signMany(
      principal: Principal | undefined,
      { bucket, names }: { bucket: string; names: readonly string[] },
      seconds: number,
    ) {
      const reached = names.filter((name) => isObjectName(name) && canAccess(principal, name))
      const there = new Set(reached.length > 0 ? await objects.existingNames(bucket, reached) : [])
      return Promise.all(
        names.map(async (path) =>
          principal && there.has(path)
            ? {
                error: null,
                path,
                signedURL: await address(principal, { bucket, name: path }, seconds),
              }
            : { error: NOT_SIGNED, path, signedURL: null },
        ),
      )
    },

    /** @throws StorageError `AccessDenied`, `NoSuchBucket`, `KeyAlreadyExists` */
    async signUpload(principal: Principal | undefined, location: ObjectLocation, upsert: boolean) {
      if (!principal || !canAccess(principal, location.name)) throw new StorageError('AccessDenied')
      if (!(await buckets.find(location.bucket))) throw new StorageError('NoSuchBucket')
      if (!upsert && (await objects.find(location))) throw new StorageError('KeyAlreadyExists')
      const token = await tokens.upload(urlOf(location), { owner: principal.userId, upsert })
      return { url: `/object/upload/sign/${pathOf(location)}?token=${token}`, token }
    },

    /** @throws StorageError for a token of another object, or of a rendition */
    async resolve(token: string, location: ObjectLocation): Promise<ResolvedSignedUrl> {
      const { transform, exp } = await openDownload(token, location)
      if (transform !== undefined) throw new StorageError('InvalidSignature')
      return found(location, exp)
    },

    /** The same for a rendition. The token is valid for one rendition only. */
    async resolveRendition(
      token: string,
      location: ObjectLocation,
    ): Promise<ResolvedSignedUrl & { transform: TransformOptions }> {
      const { transform, exp } = await openDownload(token, location)
      if (transform === undefined) throw new StorageError('InvalidSignature')
      return { ...(await found(location, exp)), transform: parseTransform(transform) }
    },

    /** @returns the signer, in whose name the object is written */
    async resolveUpload(
      token: string,
      location: ObjectLocation,
    ): Promise<{ principal: Principal; upsert: boolean }> {
      const { owner, upsert } = accepted(await tokens.readUpload(token, urlOf(location)))
      return { principal: await requireSignerAccess(owner, location.name), upsert }
    },
  }
}

function accepted<T extends object>(read: T | TokenRefusal): T {
  if (typeof read === 'string') throw new StorageError(refusals[read])
  return read
}

const urlOf = ({ bucket, name }: ObjectLocation) => `${bucket}/${name}`

/**
 * As the reference server writes it: clients encode the path, except for its delimiters. Of these only `?` can
 * be in a name.
 */
const pathOf = (location: ObjectLocation) => urlOf(location).replaceAll('?', '%3F')
