import { readMinsan } from '@bancone/contract/minsan'
import { findProductImage } from '@bancone/contract/product-images'
import { useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../lib/api.ts'
import { type ChosenImage, keptImage, providersImage } from './chosen-image.ts'

/** So long the server may take to ask the provider, and to keep what it has. */
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

/** Looks for the picture of a product by its code; one at a time, and no longer than the page is there. */
export function useProductImage(
  onFound: (image: ChosenImage) => void,
  onMissing: (() => void) | undefined,
) {
  const [search, setSearch] = useState<ProductImageSearchState>({ state: 'idle' })
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])

  async function find(code: string) {
    const minsan = readMinsan(code)
    if (!minsan || minsan.check === 'wrong') return
    own.current?.abort()
    const { signal } = (own.current = new AbortController())
    setSearch({ state: 'finding' })
    try {
      const options = { signal, reads: true, timeLimit: FIND_MS }
      const found = await call(findProductImage, { body: { minsan: minsan.code } }, options)
      if (signal.aborted) return
      const image =
        found.source === 'fallback'
          ? providersImage(found.url)
          : keptImage(found.image, found.source)
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
    /** Nobody waits for it any more, or wants to read how it went. */
    stop() {
      own.current?.abort()
      setSearch({ state: 'idle' })
    },
  }
}
