import { errorText } from '@bancone/contract/errors'
import { uploadImage } from '@bancone/contract/images'
import { expect, test, vi } from 'vitest'
import { keptPicture, pictureOf } from '../../test/fake-pictures.ts'
import { fakeUploads } from '../../test/fake-uploads.ts'
import { sessionOf } from '../../test/fixtures.ts'
import { serverWith, storeSession } from '../../test/render-app.tsx'
import { upload } from './upload.ts'

const kept = keptPicture()
const file = pictureOf('jpeg', 'foto.jpg')

function start(idleTimeoutMs?: number) {
  const api = serverWith([])
  api.install()
  storeSession()
  const own = new AbortController()
  const percents: number[] = []
  const options = { signal: own.signal, onProgress: (percent: number) => percents.push(percent) }
  const uploads = fakeUploads()
  const answer = upload(uploadImage, {}, file, {
    ...options,
    ...(idleTimeoutMs && { idleTimeoutMs }),
  })
  // What is expected of it comes later.
  answer.catch(() => undefined)
  return { api, own, percents, uploads, answer }
}

test('the file itself is the body, sent in the name of who is signed in', async () => {
  const { uploads, answer } = start()
  const sent = await uploads.nth(1)
  expect([sent.method, sent.path, sent.file]).toEqual(['POST', '/api/images', file])
  expect(sent.headers.get('authorization')).toBe(`Bearer ${sessionOf().access_token}`)
  expect(sent.headers.get('content-type')).toBe('image/jpeg')
  await sent.answers(201, JSON.stringify(kept))
  expect(await answer).toEqual(kept)
})

test('its progress is that of its bytes, and 100 only when all have left', async () => {
  const { uploads, percents } = start()
  const sent = await uploads.nth(1)
  for (const share of [0.123, 0.5, 1]) sent.sends(share)
  expect(percents).toEqual([0, 12, 50])
  await sent.hasSent()
  expect(percents).toEqual([0, 12, 50, 100])
})

test('what the server refuses keeps its code and text, under the message of uploads', async () => {
  const { uploads, answer } = start()
  await (await uploads.nth(1)).refuses('images.quota_reached')
  await expect(answer).rejects.toMatchObject({
    name: 'ApiError',
    status: 409,
    code: 'images.quota_reached',
    text: errorText('images.quota_reached'),
    message: 'Upload fallito: 409',
  })
})

test.each([
  [502, '<html>'],
  [201, '{"url":"/images/a_1/0123"}'],
])('an answer of status %i that says %s is a failure too', async (status, body) => {
  const { uploads, answer } = start()
  await (await uploads.nth(1)).answers(status, body)
  const message = `Upload fallito: ${status}`
  await expect(answer).rejects.toMatchObject({ status, code: null, message })
})

test('a line that is cut is an error of the network', async () => {
  const { uploads, answer } = start()
  await (await uploads.nth(1)).breaks()
  await expect(answer).rejects.toMatchObject({
    status: 0,
    timedOut: false,
    message: 'Errore di rete',
  })
})

test('so is one on which nothing moves any more', async () => {
  const { uploads, answer } = start(20)
  const sent = await uploads.nth(1)
  await expect(answer).rejects.toMatchObject({
    status: 0,
    timedOut: true,
    message: 'Errore di rete',
  })
  expect(sent.aborted).toBe(true)
})

test('it goes on for as long as something moves, and while the server is at work', async () => {
  vi.useFakeTimers()
  const { uploads, answer } = start(1_000)
  const sent = await uploads.nth(1)
  for (const share of [0.2, 0.4, 0.6]) {
    await vi.advanceTimersByTimeAsync(900)
    sent.sends(share)
  }
  await sent.hasSent()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(sent.aborted).toBe(false)
  await sent.answers(201, JSON.stringify(kept))
  expect(await answer).toEqual(kept)
})

test('one that is given up ends at once, and not as a failure', async () => {
  const { own, uploads, answer } = start()
  const sent = await uploads.nth(1)
  own.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect(sent.aborted).toBe(true)
})

test('one that is given up before the line is open sends nothing', async () => {
  const { own, uploads, answer } = start()
  own.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
  expect(uploads.opened).toEqual([])
})

test('a token that is refused is renewed, and the file is sent once more', async () => {
  const { api, uploads, answer, percents } = start()
  const renewed = { ...sessionOf(), access_token: `${sessionOf().access_token}2` }
  api.auth('POST', '/token', () => Response.json(renewed))
  const first = await uploads.nth(1)
  await first.hasSent()
  await first.refuses('session.missing')
  const second = await uploads.nth(2)
  expect(second.headers.get('authorization')).toBe(`Bearer ${renewed.access_token}`)
  expect(second.file).toBe(file)
  await second.answers(201, JSON.stringify(kept))
  expect(await answer).toEqual(kept)
  expect(percents).toEqual([0, 100, 0])
})

test('without a session nothing is sent', async () => {
  serverWith([]).install()
  const uploads = fakeUploads()
  const { signal } = new AbortController()
  const answer = upload(uploadImage, {}, file, { signal, onProgress: () => undefined })
  await expect(answer).rejects.toThrow('Upload fallito: 401')
  expect(uploads.opened).toEqual([])
})
