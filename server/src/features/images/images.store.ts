import { IMAGE_QUOTA_BYTES } from '@bancone/contract/images'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/pharmacy-lock.ts'
import { HOSTED_FORMAT, type HostedImage } from '../../ports/image-host.ts'
import type { MadePicture } from '../../ports/picture-maker.ts'
import { publicIdOf } from './images.rules.ts'

/** How a picture came: from a person, from a link, or with a product. */
export type ImageOrigin = 'upload' | 'link' | 'product'

export type ImagesStore = ReturnType<typeof createImagesStore>

/**
 * The only writer of `images`. A row is there before the host has the picture, and until it has it no
 * more: wherever a process ends, the job finds what is left by its row.
 */
export function createImagesStore(db: Database) {
  return {
    /**
     * Writes down a picture that is about to be kept.
     * @returns its public id; undefined when the pharmacy's pictures would be more than they may
     */
    expect(
      owner: string | null,
      { width, height, bytes }: MadePicture,
      source: ImageOrigin,
      now: number,
    ): Promise<string | undefined> {
      return db.transaction().execute(async (tx) => {
        if (owner !== null && !(await hasRoom(tx, owner, bytes))) return undefined
        const row = { pharmacy_id: owner, width, height, bytes, format: HOSTED_FORMAT, source }
        // Two in one millisecond are one after the other.
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

    /** The host has it. @returns false when it is not expected any more */
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

    /** The host has failed: it may have the picture or not, and the job asks it to remove it. */
    async abandon(publicId: string): Promise<void> {
      await db
        .updateTable('images')
        .set({ bytes: 0 })
        .where('public_id', '=', publicId)
        .where('url', 'is', null)
        .execute()
    },

    /** Where a picture is, if it is there. */
    async url(publicId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('images')
        .select('url')
        .where('public_id', '=', publicId)
        .executeTakeFirst()
      return row?.url ?? undefined
    },

    /** From now on a pharmacy's picture is not there, for it is about to be removed; or why that may not be. */
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

    /** The same for one that nobody has shown for a day. @returns whether it is such a one */
    withdrawUnused(publicId: string): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const found = await ofId(tx, publicId).where(isOld).forUpdate().executeTakeFirst()
        return found !== undefined && (await withdrawLocked(tx, publicId))
      })
    },

    /** It was withdrawn, and the host has it no more. */
    async forget(publicId: string): Promise<void> {
      await db
        .deleteFrom('images')
        .where('public_id', '=', publicId)
        .where('url', 'is', null)
        .execute()
    },

    /** Pictures that nobody has shown for a day, and those on their way that never came. */
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
     * Somebody shows the picture from now on: it is not removed until they let it go.
     *
     * @param holder who, in the words of their feature
     * @returns false when the pharmacy has no such picture, nor the archive
     */
    async hold(pharmacyId: string, publicId: string, holder: string): Promise<boolean> {
      // One statement, so that its removal waits for this, or this for its removal, in any transaction or none.
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
        .returning('public_id')
        .executeTakeFirst()
      return held !== undefined
    },

    /** They show it no more: not any, or only that one. */
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
  // One after the other, or together they would be more than there may be.
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

/** In a statement of its own after the lock, so that it sees who has come to show it meanwhile. */
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

const isUnused = sql<boolean>`not exists (
    select from image_uses used where used.public_id = image.public_id)
  and not exists (
    select from product_image_archive product where product.public_id = image.public_id)`

/** To the host: away from it, it takes no room any more. */
const isNotOnItsWay = sql<boolean>`(image.url is not null or image.bytes = 0)`

const isOld = sql<boolean>`greatest(image.created_at, image.released_at) < now() - interval '1 day'`
