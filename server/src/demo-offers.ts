import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { AppError } from './app-error.ts'
import type { Database } from './database/database.ts'
import { createImagesStore } from './features/images/images.store.ts'
import type { OfferDraft } from './features/offers/offers.rules.ts'
import { createOffersStore } from './features/offers/offers.store.ts'
import type { Wired } from './wiring.ts'

/** The fields of an offer, and a function that creates its picture. */
export type OfferWithPicture = {
  fields: Omit<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>
  picture(): Promise<Uint8Array>
}

type StoredPicture = Pick<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>

/** Inserts offers directly, because the service refuses offers that have already ended. */
export async function writeOffers(
  db: Database,
  wired: Pick<Wired, 'images' | 'temporaryFiles'>,
  pharmacyId: string,
  offers: readonly OfferWithPicture[],
): Promise<void> {
  const illustrated = await Promise.all(
    offers.map(async ({ fields, picture }) => ({
      fields,
      stored: await storePicture(wired, pharmacyId, await picture()),
    })),
  )
  for (const { fields, stored } of illustrated) {
    await db.transaction().execute(async (tx) => {
      const id = randomUUID()
      const { CloudinaryID: publicId } = stored
      if (publicId !== null) await createImagesStore(tx).hold(pharmacyId, publicId, `offer:${id}`)
      await createOffersStore(tx).insert(pharmacyId, id, { ...fields, ...stored }, pharmacyId)
    })
  }
}

/** Stores a picture. If that fails, the offer gets the placeholder. */
async function storePicture(
  { images, temporaryFiles }: Pick<Wired, 'images' | 'temporaryFiles'>,
  pharmacyId: string,
  picture: Uint8Array,
): Promise<StoredPicture> {
  await using file = await temporaryFiles.create()
  await writeFile(file.path, picture, { flag: 'wx', mode: 0o600 })
  try {
    const { url, publicId } = await images.keep(pharmacyId, file.path, 'upload')
    return { URL_Immagine: url, CloudinaryID: publicId }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { URL_Immagine: PLACEHOLDER_IMAGE, CloudinaryID: null }
  }
}
