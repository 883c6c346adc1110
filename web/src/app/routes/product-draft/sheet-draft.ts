import { z } from 'zod'
import { noTexts, ProductTexts } from '../../../features/assistant/product-texts.ts'
import { ChosenImage } from '../../../features/images/chosen-image.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'

const NAME = 'product'

const Sheet = z.object({ texts: ProductTexts, image: ChosenImage.nullable().catch(null) })
export type Sheet = z.infer<typeof Sheet>

export const emptySheet: Sheet = { texts: noTexts, image: null }

/** The unsaved sheet of this tab. */
export function readSheet(): Sheet {
  try {
    return Sheet.parse(JSON.parse(readDraft(NAME)))
  } catch {
    return emptySheet
  }
}

export function isEmpty({ texts, image }: Sheet): boolean {
  return image === null && Object.values(texts).every((text) => text === '')
}

export function keepSheet(sheet: Sheet) {
  saveDraft(NAME, isEmpty(sheet) ? '' : JSON.stringify(sheet))
}
