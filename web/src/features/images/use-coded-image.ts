import { toastResult } from '../../ui/toast.ts'
import { type ChosenImage, placeholderImage } from './chosen-image.ts'
import { sourceLabel } from './image-source.tsx'
import { useProductImage } from './use-product-image.ts'

/**
 * The picture of a product, and the code that it is looked for by.
 *
 * @param onMissing there is none of that code
 */
export function useCodedImage(
  code: string,
  image: ChosenImage | null,
  onImage: (image: ChosenImage | null) => void,
  onMissing?: () => void,
) {
  const { search, find, stop } = useProductImage((found) => {
    onImage(found)
    if (image === null || image.url === found.url) return
    // What stood there was perhaps the better one.
    toastResult('Immagine sostituita', {
      about: 'image',
      description: `Al suo posto: ${sourceLabel(found).toLowerCase()}`,
      action: { label: 'Annulla', run: () => onImage(image) },
      long: true,
    })
  }, onMissing)

  return {
    search,
    find,
    stop,
    /** What is looked for by one code is not for another. */
    codeBecomes(next: string) {
      if (next !== code) stop()
    },
    /**
     * Brings the picture of a code that nobody typed. One that was sent is the better one, one of another code the
     * wrong one.
     */
    lookFor(next: string) {
      if (image?.source === 'manual' && image.url !== placeholderImage.url) return
      if (next !== code) onImage(null)
      find(next)
    },
  }
}
