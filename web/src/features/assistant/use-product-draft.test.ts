import { draftProduct, type ProductDraft } from '@bancone/contract/assistant'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { serverWith } from '../../../test/render-app.tsx'
import { signedIn } from '../../../test/render-part.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { useProductDraft } from './use-product-draft.ts'

const nothing: ProductDraft = { description: null, price: null, minsan: null }
const about = { name: 'Tachipirina', category: '' } as const

test.each([
  ['a draft', nothing],
  ['a failure', failure('assistant.timeout')],
])('%s that comes after it was given up changes nothing', async (_what, reply) => {
  const answer = deferred<ProductDraft | ReturnType<typeof failure>>()
  const api = serverWith([]).on(draftProduct, () => answer.promise)
  signedIn(api)
  const { result } = renderHook(() => useProductDraft())
  act(() => result.current.request(about))
  expect(result.current.run.state).toBe('running')
  await waitFor(() => expect(api.requests).toHaveLength(1))
  act(() => result.current.stop())
  await act(async () => answer.resolve(reply))
  expect([result.current.run.state, result.current.draft]).toEqual(['idle', null])
})
