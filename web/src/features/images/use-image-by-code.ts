import { toastSuccess } from '../../ui/toast.ts'
import { type ChosenImage, placeholderImage } from './chosen-image.ts'
import { sourceLabel } from './image-source.tsx'
import { useProductImage } from './use-product-image.ts'

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
  const { search, find, stop } = useProductImage((found) => {
    onImage(found)
    if (image === null || image.url === found.url) return
    // Offers undo, because the replaced picture may have been better.
    toastSuccess('Immagine sostituita', {
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
