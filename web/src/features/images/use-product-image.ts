import { parseMinsan } from '@bancone/contract/minsan'
import { findProductImage } from '@bancone/contract/product-images'
import { useEffect, useRef, useState } from 'react'
import { ApiError, type CallOptions, call } from '../../lib/api.ts'
import { type ChosenImage, providerImage, uploadedImage } from './chosen-image.ts'

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
export function useProductImage(
  onFound: (image: ChosenImage) => void,
  onMissing: (() => void) | undefined,
) {
  const [search, setSearch] = useState<ProductImageSearchState>({ state: 'idle' })
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])

  async function find(code: string) {
    const minsan = parseMinsan(code)
    if (!minsan || minsan.check === 'wrong') return
    own.current?.abort()
    const { signal } = (own.current = new AbortController())
    setSearch({ state: 'finding' })
    try {
      const options = { signal, readOnly: true, timeoutMs: FIND_MS } satisfies CallOptions
      const found = await call(findProductImage, { body: { minsan: minsan.code } }, options)
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
