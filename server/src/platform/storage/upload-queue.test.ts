import { describe, expect, it, vi } from 'vitest'
import { createUploadQueue } from './uploads.ts'

/** An upload that ends when the test lets it. */
function slow() {
  let end = () => {}
  const upload = vi.fn(
    () =>
      new Promise<string>((resolve) => {
        end = () => resolve('done')
      }),
  )
  return { upload, end: () => end() }
}

describe('uploads', () => {
  it('take turns, each of whose they are', async () => {
    const uploadQueue = createUploadQueue()
    const six = Array.from({ length: 6 }, slow)
    const taken = six.map(({ upload }) => uploadQueue('one', upload))
    const seventh = slow()
    const waiting = uploadQueue('one', seventh.upload)
    expect(await uploadQueue('another', async () => 'at once')).toBe('at once')
    expect(seventh.upload).not.toHaveBeenCalled()
    six[0]?.end()
    await vi.waitFor(() => expect(seventh.upload).toHaveBeenCalled())
    for (const { end } of [...six, seventh]) end()
    expect(await Promise.all([...taken, waiting])).toEqual(Array(7).fill('done'))
  })

  it('that wait too long are told so, and those under way are not', async () => {
    const uploadQueue = createUploadQueue(10)
    const six = Array.from({ length: 6 }, slow)
    const taken = six.map(({ upload }) => uploadQueue('one', upload))
    const seventh = slow()
    await expect(uploadQueue('one', seventh.upload)).rejects.toMatchObject({ code: 'SlowDown' })
    for (const { end } of six) end()
    expect(await Promise.all(taken)).toEqual(Array(6).fill('done'))
    expect(seventh.upload).not.toHaveBeenCalled()
    expect(await uploadQueue('one', async () => 'at once')).toBe('at once')
  })
})
