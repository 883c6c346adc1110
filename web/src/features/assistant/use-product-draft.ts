import { DEFAULT_CATEGORY, draftProduct } from '@bancone/contract/assistant'
import { useEffect, useRef, useState } from 'react'
import { type CallOptions, call } from '../../lib/api.ts'
import type { ProductTexts } from './product-texts.ts'
import { type Proposals, proposalsOf } from './proposals.ts'

/** A little longer than the server's timeout for the assistant, so that the server reports the timeout. */
const DRAFT_MS = 40_000

export type DraftRun = { state: 'idle' | 'running' | 'done' } | { state: 'failed'; error: unknown }

/** The assistant's last answer. `name`: of the product it is about, which may have changed since. */
export type Draft = { name: string; proposals: Proposals }

/** Requests texts for a product; one request at a time, aborted on unmount. */
export function useProductDraft() {
  const [run, setRun] = useState<DraftRun>({ state: 'idle' })
  const [draft, setDraft] = useState<Draft | null>(null)
  const own = useRef<AbortController | null>(null)
  useEffect(() => () => own.current?.abort(), [])

  async function request({ name, category }: Pick<ProductTexts, 'name' | 'category'>) {
    own.current?.abort()
    const { signal } = (own.current = new AbortController())
    setRun({ state: 'running' })
    try {
      const body = { productName: name, category: category || DEFAULT_CATEGORY }
      const options = { signal, readOnly: true, timeoutMs: DRAFT_MS } satisfies CallOptions
      const proposals = proposalsOf(await call(draftProduct, { body }, options))
      if (signal.aborted) return
      setRun({ state: 'done' })
      setDraft({ name: name.trim(), proposals })
    } catch (error) {
      if (!signal.aborted) setRun({ state: 'failed', error })
    }
  }

  return {
    run,
    draft,
    request: (about: Pick<ProductTexts, 'name' | 'category'>) => void request(about),
    stop() {
      own.current?.abort()
      setRun({ state: 'idle' })
    },
    close: () => setDraft(null),
  }
}
