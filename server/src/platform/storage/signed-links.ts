import type { Clock } from '../../ports/clock.ts'
import { type Holder, reaches } from './access.ts'
import type { BucketsStore } from './buckets.store.ts'
import { parseWishText, type Wish, wishText } from './drawings.ts'
import { isObjectName, type Place } from './names.ts'
import type { ObjectsStore, StoredObject } from './objects.store.ts'
import type { SignedTokens, TokenRefusal } from './signed-tokens.ts'
import { StorageError, type StorageErrorCode } from './storage-error.ts'

const refusals = {
  invalid: 'InvalidJWT',
  other: 'InvalidSignature',
  expired: 'ExpiredToken',
} as const satisfies Record<TokenRefusal, StorageErrorCode>

/** What many are told of one that they cannot have, whether it is there or not. */
const NOT_SIGNED = 'Either the object does not exist or you do not have access to it'

type Dependencies = {
  tokens: SignedTokens
  objects: Pick<ObjectsStore, 'find' | 'findMany'>
  buckets: Pick<BucketsStore, 'find'>
  /** What somebody may do now, by their id; null for another server, with its key. */
  holderOf(owner: string | null): Promise<Holder | undefined>
  clock: Clock
}

/** What a link leads to, and how long it still does. */
export type OpenedLink = { object: StoredObject; expiresAt: Date; secondsLeft: number }

export type SignedLinks = ReturnType<typeof createSignedLinks>

/**
 * Links that open an object, or take one, without a session. They end with their time, and at once when who
 * signed them may not do it themselves any more. Addresses are relative to `/storage/v1`.
 */
export function createSignedLinks(dependencies: Dependencies) {
  const { tokens, objects, buckets, holderOf, clock } = dependencies

  async function mustStillReach(owner: string | null, name: string): Promise<Holder> {
    const holder = await holderOf(owner)
    if (!holder || !reaches(holder, name)) throw new StorageError('AccessDenied')
    return holder
  }

  async function openDownload(token: string, place: Place) {
    const claims = accepted(await tokens.readDownload(token, urlOf(place)))
    await mustStillReach(claims.owner, place.name)
    return claims
  }

  async function found(place: Place, exp: number): Promise<OpenedLink> {
    const object = await objects.find(place)
    if (!object) throw new StorageError('NoSuchKey')
    const secondsLeft = Math.max(0, Math.floor(exp - clock.now() / 1000))
    return { object, expiresAt: new Date(exp * 1000), secondsLeft }
  }

  const address = async (holder: Holder, place: Place, seconds: number, wish?: Wish) => {
    const signed = { owner: holder.userId, transform: wish && wishText(wish) }
    const token = await tokens.download(urlOf(place), seconds, signed)
    return `/${wish ? 'render/image' : 'object'}/sign/${pathOf(place)}?token=${token}`
  }

  return {
    /** @throws StorageError `NoSuchKey`, also for what others have */
    async sign(
      holder: Holder | undefined,
      place: Place,
      { seconds, wish }: { seconds: number; wish?: Wish | undefined },
    ): Promise<string> {
      if (!holder || !reaches(holder, place.name) || !(await objects.find(place))) {
        throw new StorageError('NoSuchKey')
      }
      return address(holder, place, seconds, wish)
    },

    /** The same for many objects of a bucket; each that cannot be had says so. */
    async signMany(
      holder: Holder | undefined,
      { bucket, names }: { bucket: string; names: readonly string[] },
      seconds: number,
    ) {
      const reached = names.filter((name) => isObjectName(name) && reaches(holder, name))
      const there = new Set(reached.length > 0 ? await objects.findMany(bucket, reached) : [])
      return Promise.all(
        names.map(async (path) =>
          holder && there.has(path)
            ? {
                error: null,
                path,
                signedURL: await address(holder, { bucket, name: path }, seconds),
              }
            : { error: NOT_SIGNED, path, signedURL: null },
        ),
      )
    },

    /** @throws StorageError `AccessDenied`, `NoSuchBucket`, `KeyAlreadyExists` */
    async signUpload(holder: Holder | undefined, place: Place, upsert: boolean) {
      if (!holder || !reaches(holder, place.name)) throw new StorageError('AccessDenied')
      if (!(await buckets.find(place.bucket))) throw new StorageError('NoSuchBucket')
      if (!upsert && (await objects.find(place))) throw new StorageError('KeyAlreadyExists')
      const token = await tokens.upload(urlOf(place), { owner: holder.userId, upsert })
      return { url: `/object/upload/sign/${pathOf(place)}?token=${token}`, token }
    },

    /** @throws StorageError for a token of something else, also of a drawing of it */
    async open(token: string, place: Place): Promise<OpenedLink> {
      const { transform, exp } = await openDownload(token, place)
      if (transform !== undefined) throw new StorageError('InvalidSignature')
      return found(place, exp)
    },

    /** The same for a drawing of it: that one alone. */
    async openDrawing(token: string, place: Place): Promise<OpenedLink & { wish: Wish }> {
      const { transform, exp } = await openDownload(token, place)
      if (transform === undefined) throw new StorageError('InvalidSignature')
      return { ...(await found(place, exp)), wish: parseWishText(transform) }
    },

    /** @returns who signed it, in whose name it is then put */
    async openUpload(token: string, place: Place): Promise<{ holder: Holder; upsert: boolean }> {
      const { owner, upsert } = accepted(await tokens.readUpload(token, urlOf(place)))
      return { holder: await mustStillReach(owner, place.name), upsert }
    },
  }
}

function accepted<T extends object>(read: T | TokenRefusal): T {
  if (typeof read === 'string') throw new StorageError(refusals[read])
  return read
}

const urlOf = ({ bucket, name }: Place) => `${bucket}/${name}`

/**
 * As the reference server writes it: the clients encode it, all but what divides an address. Of that only
 * `?` is in names and ends a path.
 */
const pathOf = (place: Place) => urlOf(place).replaceAll('?', '%3F')
