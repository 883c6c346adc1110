import { IMAGE_QUOTA_BYTES } from '@bancone/contract/images'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import { HOSTED_FORMAT, type HostedImage } from '../../ports/image-host.ts'
import type { RenderedPicture } from '../../ports/picture-renderer.ts'
import { publicIdOf } from './images.rules.ts'

/** Source of a picture: uploaded, imported from a link, or found for a product. */
export type ImageOrigin = 'upload' | 'link' | 'product'

export type ImagesStore = ReturnType<typeof createImagesStore>

/**
 * The only writer of `images`. A row is inserted before the host stores the picture and deleted after the host has
 * removed it, so the job finds what a crashed process left behind.
 */
export function createImagesStore(db: Database) {
  return {
    /**
     * Inserts the row of a picture that is about to be stored.
     * @returns its public id; undefined when the pharmacy's limit is reached
     */
    expect(
      owner: string | null,
      { width, height, bytes }: RenderedPicture,
      source: ImageOrigin,
      now: number,
    ): Promise<string | undefined> {
      return db.transaction().execute(async (tx) => {
        if (owner !== null && !(await hasRoom(tx, owner, bytes))) return undefined
        const row = { pharmacy_id: owner, width, height, bytes, format: HOSTED_FORMAT, source }
        // Ids contain the time: a collision within a millisecond takes the next one.
        for (let ms = now; ; ms += 1) {
          const made = await tx
            .insertInto('images')
            .values({ ...row, public_id: publicIdOf(owner, ms) })
            .onConflict((conflict) => conflict.column('public_id').doNothing())
            .returning('public_id')
            .executeTakeFirst()
          if (made) return made.public_id
        }
      })
    },

    /** The host has stored the picture. @returns false when the row no longer waits for it */
    async complete(publicId: string, hosted: HostedImage): Promise<boolean> {
      const { url, width, height, format, fileKey } = hosted
      const row = await db
        .updateTable('images')
        .set({ url, width, height, format, file_key: fileKey })
        .where('public_id', '=', publicId)
        .where('url', 'is', null)
        .returning('public_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The host has failed and may or may not have the picture; the job tells it to remove the picture. */
    async abandon(publicId: string): Promise<void> {
      await db
        .updateTable('images')
        .set({ bytes: 0 })
        .where('public_id', '=', publicId)
        .where('url', 'is', null)
        .execute()
    },

    /** URL of a picture; undefined when it does not exist. */
    async url(publicId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('images')
        .select('url')
        .where('public_id', '=', publicId)
        .executeTakeFirst()
      return row?.url ?? undefined
    },

    /** Withdraws a pharmacy's picture before its removal, unless it does not exist or is in use. */
    withdraw(pharmacyId: string, publicId: string): Promise<'withdrawn' | 'not_found' | 'in_use'> {
      return db.transaction().execute(async (tx) => {
        const found = await ofId(tx, publicId)
          .where('image.pharmacy_id', '=', pharmacyId)
          .where(isNotOnItsWay)
          .forUpdate()
          .executeTakeFirst()
        if (!found) return 'not_found'
        return (await withdrawLocked(tx, publicId)) ? 'withdrawn' : 'in_use'
      })
    },

    /** Withdraws a picture that has not been in use for a day. @returns whether it was one */
    withdrawUnused(publicId: string): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const found = await ofId(tx, publicId).where(isOld).forUpdate().executeTakeFirst()
        return found !== undefined && (await withdrawLocked(tx, publicId))
      })
    },

    /** The pictures of a pharmacy, also those on their way. */
    async idsOf(pharmacyId: string, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('images')
        .select('public_id')
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('public_id')
        .limit(most)
        .execute()
      return rows.map((row) => row.public_id)
    },

    /**
     * Withdraws a picture of a pharmacy that is being removed, also one that is still in use. One that is in the archive
     * stays there for the other pharmacies.
     * @returns whether it was withdrawn
     */
    withdrawOfRemoved(publicId: string): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await ofId(tx, publicId).forUpdate().execute()
        const archived = await tx
          .updateTable('images as image')
          .set({ pharmacy_id: null })
          .where('image.public_id', '=', publicId)
          .where(isArchived)
          .returning('image.public_id')
          .executeTakeFirst()
        if (archived) return false
        await tx.deleteFrom('image_uses').where('public_id', '=', publicId).execute()
        return withdrawLocked(tx, publicId)
      })
    },

    /** Deletes the row of a withdrawn picture that the host has removed. */
    async forget(publicId: string): Promise<void> {
      await db
        .deleteFrom('images')
        .where('public_id', '=', publicId)
        .where('url', 'is', null)
        .execute()
    },

    /** Pictures that have not been in use for a day, and uploads that were never completed. */
    async unused(after: string, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('images as image')
        .select('image.public_id')
        .where('image.public_id', '>', after)
        .where(isOld)
        .where(isUnused)
        .orderBy('image.public_id')
        .limit(most)
        .execute()
      return rows.map((row) => row.public_id)
    },

    /**
     * Marks a picture as in use: it is not removed until it is released.
     *
     * @param holder identifies the user of the picture, in the terms of its feature
     * @returns its URL; undefined when neither the pharmacy nor the archive has the picture
     */
    async hold(pharmacyId: string, publicId: string, holder: string): Promise<string | undefined> {
      // One statement, so that this and a concurrent removal wait for each other, within a transaction or not.
      const held = await db
        .insertInto('image_uses')
        .columns(['public_id', 'holder'])
        .expression(
          ofId(db, publicId)
            .clearSelect()
            .select(['image.public_id', sql.val(holder).as('holder')])
            .where('image.url', 'is not', null)
            .where(
              sql<boolean>`(image.pharmacy_id = ${pharmacyId} or exists (
                select from product_image_archive product where product.public_id = image.public_id))`,
            )
            .forShare(),
        )
        .onConflict((conflict) => conflict.columns(['public_id', 'holder']).doUpdateSet({ holder }))
        .returning((is) =>
          is
            .selectFrom('images')
            .select('url')
            .whereRef('images.public_id', '=', 'image_uses.public_id')
            .as('url'),
        )
        .executeTakeFirst()
      return held?.url ?? undefined
    },

    /** The holder no longer uses any picture, or only `except`. */
    async release(holder: string, except?: string): Promise<void> {
      const released = await db
        .deleteFrom('image_uses')
        .where('holder', '=', holder)
        .$if(except !== undefined, (query) => query.where('public_id', '!=', except ?? ''))
        .returning('public_id')
        .execute()
      const ids = released.map((row) => row.public_id)
      if (ids.length === 0) return
      await db
        .updateTable('images')
        .set({ released_at: sql<string>`now()` })
        .where('public_id', 'in', ids)
        .execute()
    },
  }
}

async function hasRoom(tx: Database, pharmacyId: string, bytes: number): Promise<boolean> {
  // Serialized by a lock, or concurrent inserts would exceed the limit.
  await lockPharmacy(tx, pharmacyId)
  const { taken } = await tx
    .selectFrom('images')
    .select((image) => image.fn.sum<string | null>('bytes').as('taken'))
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirstOrThrow()
  return Number(taken) + bytes <= IMAGE_QUOTA_BYTES
}

function ofId(db: Database, publicId: string) {
  return db
    .selectFrom('images as image')
    .select('image.url')
    .where('image.public_id', '=', publicId)
}

/** A statement after the lock, so that it sees holders added meanwhile. */
async function withdrawLocked(tx: Database, publicId: string): Promise<boolean> {
  const row = await tx
    .updateTable('images as image')
    .set({ url: null, file_key: null, bytes: 0 })
    .where('image.public_id', '=', publicId)
    .where(isUnused)
    .returning('image.public_id')
    .executeTakeFirst()
  return row !== undefined
}

const isArchived = sql<boolean>`exists (
  select from product_image_archive product where product.public_id = image.public_id)`

const isUnused = sql<boolean>`not exists (
    select from image_uses used where used.public_id = image.public_id)
  and not ${isArchived}`

/**
 * Not being uploaded to the host. A picture that is being removed has 0 bytes, because it no longer counts towards
 * the quota.
 */
const isNotOnItsWay = sql<boolean>`(image.url is not null or image.bytes = 0)`

const isOld = sql<boolean>`greatest(image.created_at, image.released_at) < now() - interval '1 day'`
