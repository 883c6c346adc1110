import { Readable } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { trackExport } from './order-exports.service.ts'

const of = { pharmacyId: 'pharmacy', id: 'export' }

it('a word about how far it is that comes after its end breaks nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let answer = (_isUnderWay: boolean) => {}
  const late = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  const { parts, signal } = await trackExport(
    { updateProgress: () => late, finish: async () => true },
    of,
    async function* () {
      yield 'all of it'
    },
  )
  const taken = parts[Symbol.asyncIterator]()
  await taken.next()
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await taken.next()).done).toBe(true)
  answer(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(signal.aborted).toBe(false)
})

it('one that is given up in another process breaks its connection before its end', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { signal } = await trackExport(
    { updateProgress: async () => false, finish: async () => true },
    of,
    async function* () {
      yield 'a part of it'
    },
  )
  expect(signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(signal.aborted).toBe(true)
})

it('one that was given up when its last piece was written is not whole', async () => {
  const { parts, signal } = await trackExport(
    {
      updateProgress: async () => true,
      finish: async (_pharmacyId, _id, { state }) => state !== 'done',
    },
    of,
    async function* () {
      yield 'all of it'
    },
  )
  const taken = parts[Symbol.asyncIterator]()
  await taken.next()
  await expect(taken.next()).rejects.toThrow()
  expect(signal.aborted).toBe(true)
})

it('is cancelled when its taker has hung up before there was any of it', async () => {
  const ends: string[] = []
  const finish = async (_pharmacyId: string, _id: string, { state }: { state: string }) => {
    ends.push(state)
    return true
  }
  const { parts } = await trackExport(
    { updateProgress: async () => true, finish },
    of,
    async function* () {
      yield 'all of it'
    },
  )
  Readable.from(parts).destroy()
  await expect.poll(() => ends).toEqual(['cancelled'])
})
