import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { BucketsStore } from './buckets.store.ts'
import { isObjectName, type ObjectLocation } from './names.ts'
import type { ObjectsStore, StoredObject } from './objects.store.ts'
import { canAccess, type Principal } from './principals.ts'
import { parseTransform, serializeTransform, type TransformOptions } from './renditions.ts'
import { StorageError } from './storage-error.ts'

const ALGORITHM = 'HS256'

/** The maximum lifetime of a signed URL, in seconds: seven days. */
export const MAX_SIGNED_URL_SECONDS = 7 * 24 * 60 * 60

/** The lifetime of a signed upload URL that the clients document, in seconds: two hours. */
const UPLOAD_URL_SECONDS = 2 * 60 * 60

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** `{bucket}/{name}` */
const Url = z.string().min(3)
/** The signer; null for another server with the admin key. */
const Owner = z.uuid().nullable()

const times = { iat: z.number().int(), exp: z.number().int() }

const DownloadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('download'),
  owner: Owner,
  /** The serialized transform options (see `renditions.ts`). */
  transform: z.string().optional(),
})
const UploadClaims = z.object({
  ...times,
  url: Url,
  scope: z.literal('upload'),
  owner: Owner,
  upsert: z.boolean(),
})

type SignedBy = { owner: string | null }

type SignedTokens = ReturnType<typeof createSignedTokens>

/**
 * The tokens of signed URLs. A token is valid for one object and one purpose; the signer's access is checked
 * again at each use. The key signs nothing else, so that session tokens and these are not interchangeable.
 */
export function createSignedTokens(key: Uint8Array, clock: Clock) {
  const now = () => Math.floor(clock.now() / 1000)

  function sign(claims: Record<string, unknown>, seconds: number): Promise<string> {
    return new SignJWT({ ...claims, iat: now(), exp: now() + seconds })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .sign(key)
  }

  async function read<S extends z.ZodType<{ url: string; iat: number; exp: number }>>(
    token: string,
    schema: S,
    url: string,
  ): Promise<z.output<S>> {
    const parsed = schema.safeParse(await verify(token))
    if (!parsed.success || parsed.data.url !== url) throw new StorageError('InvalidSignature')
    const { iat, exp } = parsed.data
    // A longer lifetime is never signed, so it is not accepted.
    if (exp - iat > MAX_SIGNED_URL_SECONDS) throw new StorageError('InvalidJWT')
    return parsed.data
  }

  async function verify(token: string): Promise<unknown> {
    // Base64 decoders ignore other characters.
    if (!TOKEN.test(token)) throw new StorageError('InvalidJWT')
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new StorageError('ExpiredToken')
      if (error instanceof errors.JOSEError) throw new StorageError('InvalidJWT')
      throw error
    }
  }

  return {
    /** @param seconds the lifetime; at most `MAX_SIGNED_URL_SECONDS` */
    download(url: string, seconds: number, signed: SignedBy & { transform?: string | undefined }) {
      const { owner, transform } = signed
      return sign({ ...(transform && { transform }), owner, scope: 'download', url }, seconds)
    },
    upload(url: string, { owner, upsert }: SignedBy & { upsert: boolean }) {
      return sign({ upsert, owner, scope: 'upload', url }, UPLOAD_URL_SECONDS)
    },
    /**
     * The claims of a token. @throws StorageError `InvalidJWT` when it is not signed by us, `InvalidSignature` for
     * another object or purpose, `ExpiredToken`
     */
    readDownload: (token: string, url: string) => read(token, DownloadClaims, url),
    readUpload: (token: string, url: string) => read(token, UploadClaims, url),
  }
}

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
    const claims = await tokens.readDownload(token, urlOf(location))
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
      const { owner, upsert } = await tokens.readUpload(token, urlOf(location))
      return { principal: await requireSignerAccess(owner, location.name), upsert }
    },
  }
}

const urlOf = ({ bucket, name }: ObjectLocation) => `${bucket}/${name}`

/**
 * As the reference server writes it: clients encode the path, except for its delimiters. Of these only `?` can
 * be in a name.
 */
const pathOf = (location: ObjectLocation) => urlOf(location).replaceAll('?', '%3F')
