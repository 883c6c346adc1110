import { onlineManager } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { createQueryClient } from './query-client.ts'

test('without a network, reading and writing fail instead of waiting for it', async () => {
  onlineManager.setOnline(false)
  onTestFinished(() => onlineManager.setOnline(true))
  const client = createQueryClient()
  const fail = () => Promise.reject(new Error('no network'))
  await expect(client.fetchQuery({ queryKey: ['orders'], queryFn: fail })).rejects.toThrow(
    'no network',
  )
  const mutation = client.getMutationCache().build(client, { mutationFn: fail })
  await expect(mutation.execute(undefined)).rejects.toThrow('no network')
})
