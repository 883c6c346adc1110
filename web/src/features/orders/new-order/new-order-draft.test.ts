import { expect, test } from 'vitest'
import { ApiError } from '../../../lib/api.ts'
import { isRefusal, nextAttempt } from './new-order-draft.ts'

const last = { key: 'the-first-key', sent: 'one', refused: false }

test.each([
  ['the same again after no answer', last, 'one', true],
  ['something else after no answer', last, 'two', true],
  ['the same again after a refusal', { ...last, refused: true }, 'one', true],
  ['something else after a refusal', { ...last, refused: true }, 'two', false],
  ['the first attempt', null, 'one', false],
])('%s', (_, before, sent, same) => {
  const { key, ...rest } = nextAttempt(before, sent)
  expect(key === last.key).toBe(same)
  expect(rest).toEqual({ sent, refused: false })
})

test.each([
  ['a number that is taken', new ApiError(409, '', { code: 'orders.number_taken' }), true],
  ['too many', new ApiError(429, '', { code: 'orders.too_many' }), true],
  ['one that is still being made', new ApiError(409, '', { code: 'orders.being_made' }), false],
  ['a failure of the server', new ApiError(500, '', { code: 'internal' }), false],
  ['no answer', new ApiError(0, '', { timedOut: true }), false],
  ['anything else', new Error('no'), false],
])('%s is a refusal: %#', (_, error, refusal) => {
  expect(isRefusal(error)).toBe(refusal)
})
