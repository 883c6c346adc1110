import { parseMinsan } from '@bancone/contract/minsan'
import { useState } from 'react'
import { toastSuccess } from '../../ui/toast.ts'
import { type ChosenImage, placeholderImage } from './chosen-image.ts'
import { sourceLabel } from './image-source.tsx'
import { useProductImage } from './use-product-image.ts'

function usableCode(text: string): string | null {
  const read = parseMinsan(text)
  return read && read.check !== 'wrong' ? read.code : null
}

/**
 * Looks up the picture of a product by its code.
 *
 * @param onMissing called when no picture has that code
 */
export function useImageByCode(
  code: string,
  image: ChosenImage | null,
  onImage: (image: ChosenImage | null) => void,
  onMissing?: () => void,
) {
  const current = usableCode(code)
  // The code for which the picture was chosen.
  const [chosen, setChosen] = useState({ url: image?.url, code: current })
  if (image?.url !== chosen.url) setChosen({ url: image?.url, code: current })
  const { search, find, stop } = useProductImage((found) => {
    onImage(found)
    // It may be the picture that is there.
    setChosen({ url: found.url, code: current })
    if (image === null || image.url === found.url) return
    // Offers undo, because the replaced picture may have been better.
    toastSuccess('Immagine sostituita', {
      about: 'image',
      description: `Al suo posto: ${sourceLabel(found).toLowerCase()}`,
      action: { label: 'Annulla', run: () => onImage(image) },
      long: true,
    })
  }, onMissing)

  const isPicture = image !== null && image.url !== placeholderImage.url

  return {
    search,
    find,
    stop,
    /** The picture was chosen for another code. */
    isOfOtherCode: isPicture && current !== null && chosen.code !== null && chosen.code !== current,
    /** The picture is right for this code, too. */
    keep: () => setChosen({ url: image?.url, code: current }),
    /** The result of one code is not valid for another. */
    onCodeChange(next: string) {
      if (next !== code) stop()
    },
    /**
     * Looks up the picture of a code that was not typed. Keeps an uploaded picture, which is likely better, and
     * replaces the picture of another code.
     */
    findByCode(next: string) {
      if (image?.source === 'manual' && image.url !== placeholderImage.url) return
      if (next !== code) onImage(null)
      find(next)
    },
  }
}
