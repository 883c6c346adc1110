import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { Services } from './app.ts'
import { AppError } from './app-error.ts'
import type { Database } from './database/database.ts'
import { createImagesStore } from './features/images/images.store.ts'
import type { OfferDraft } from './features/offers/offers.rules.ts'
import { createOffersStore } from './features/offers/offers.store.ts'

/** An offer without its picture, and the picture's bytes. */
export type DrawnOffer = {
  fields: Omit<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>
  picture(): Promise<Uint8Array>
}

type Kept = Pick<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>

/** Writes them as they are: one that has ended could not be made otherwise. */
export async function writeOffers(
  db: Database,
  services: Pick<Services, 'images' | 'scratch'>,
  pharmacyId: string,
  offers: readonly DrawnOffer[],
): Promise<void> {
  for (const { fields, picture } of offers) {
    const kept = await keep(services, pharmacyId, await picture())
    await db.transaction().execute(async (tx) => {
      const id = randomUUID()
      const { CloudinaryID: publicId } = kept
      if (publicId !== null) await createImagesStore(tx).hold(pharmacyId, publicId, `offer:${id}`)
      await createOffersStore(tx).insert(pharmacyId, id, { ...fields, ...kept }, pharmacyId)
    })
  }
}

/** A demo whose pictures cannot be kept is a demo all the same. */
async function keep(
  { images, scratch }: Pick<Services, 'images' | 'scratch'>,
  pharmacyId: string,
  picture: Uint8Array,
): Promise<Kept> {
  await using file = await scratch.file()
  await writeFile(file.path, picture, { flag: 'wx', mode: 0o600 })
  try {
    const { url, publicId } = await images.keep(pharmacyId, file.path, 'upload')
    return { URL_Immagine: url, CloudinaryID: publicId }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { URL_Immagine: PLACEHOLDER_IMAGE, CloudinaryID: null }
  }
}
