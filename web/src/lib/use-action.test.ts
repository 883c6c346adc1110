import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { unlessGone } from './use-action.ts'

test('an item that was removed elsewhere already is removed; another failure is one', async () => {
  const refuse = (code: 'api_keys.not_found' | 'internal') =>
    unlessGone(Promise.reject(new ApiError(0, '', { code })), 'api_keys.not_found')
  await expect(refuse('api_keys.not_found')).resolves.toBeUndefined()
  await expect(refuse('internal')).rejects.toMatchObject({ code: 'internal' })
})
