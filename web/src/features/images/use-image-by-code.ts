import { parseMinsan } from '@bancone/contract/minsan'
import { findProductImage } from '@bancone/contract/product-images'
import { useEffect, useRef, useState } from 'react'
import { ApiError, type CallOptions, call } from '../../lib/api.ts'
import { toastSuccess } from '../../ui/toast.ts'
import { type ChosenImage, placeholderImage, providerImage, uploadedImage } from './chosen-image.ts'
import { sourceLabel } from './image-source.tsx'

/** A usable code as nine digits; null otherwise. */
export function usableCode(text: string): string | null {
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

/** Milliseconds for the server to request the picture from the provider and store it. */
const FIND_MS = 60_000

export type ProductImageSearchState =
  | { state: 'idle' | 'finding' }
  | { state: 'found'; image: ChosenImage }
  | { state: 'missing' | 'unconfigured' }
  | { state: 'failed'; error: unknown }

function outcome(error: unknown): ProductImageSearchState {
  const code = error instanceof ApiError ? error.code : null
  if (code === 'product_images.not_found') return { state: 'missing' }
  if (code === 'product_images.not_configured') return { state: 'unconfigured' }
  return { state: 'failed', error }
}

/** Searches the picture of a product by its code; one search at a time, aborted on unmount. */
function useProductImage(
  onFound: (image: ChosenImage) => void,
  onMissing: (() => void) | undefined,
) {
  const [search, setSearch] = useState<ProductImageSearchState>({ state: 'idle' })
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])

  async function find(code: string) {
    const minsan = usableCode(code)
    if (minsan === null) return
    own.current?.abort()
    const { signal } = (own.current = new AbortController())
    setSearch({ state: 'finding' })
    try {
      const options = { signal, readOnly: true, timeoutMs: FIND_MS } satisfies CallOptions
      const found = await call(findProductImage, { body: { minsan } }, options)
      if (signal.aborted) return
      const image =
        found.source === 'fallback'
          ? providerImage(found.url)
          : uploadedImage(found.image, found.source)
      setSearch({ state: 'found', image })
      onFound(image)
    } catch (error) {
      if (signal.aborted) return
      const failed = outcome(error)
      setSearch(failed)
      if (failed.state === 'missing') onMissing?.()
    }
  }

  return {
    search,
    find: (code: string) => void find(code),
    /** Aborts the search and clears its result. */
    stop() {
      own.current?.abort()
      setSearch({ state: 'idle' })
    },
  }
}
