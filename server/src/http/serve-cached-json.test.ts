import { endpoint } from '@bancone/contract/endpoint'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { noSessions } from '../../test/no-sessions.ts'
import { CachedJson, createServeCachedJson } from './serve-cached-json.ts'

const people = endpoint({
  method: 'GET',
  path: '/api/people',
  summary: 'People with a secret column',
  access: 'public',
  response: z.object({
    people: z.array(z.object({ name: z.string() })),
    page: z.object({ number: z.number() }),
  }),
  errors: [],
})

const ada = { name: 'Ada', passwordHash: 'x' }
const kept = () => new CachedJson(people.response.shape.people, [ada])

/** Responds with what `answer` has. */
function served(answer: { people: ReturnType<typeof kept>; number: number }) {
  const app = Fastify()
  onTestFinished(() => app.close())
  createServeCachedJson(app, noSessions())(people, 'people', async () => ({
    people: answer.people,
    page: { number: answer.number, secret: 'y' },
    secret: 'z',
  }))
  return (headers: Record<string, string> = {}) => app.inject({ url: '/api/people', headers })
}

it('has only declared fields, in the part that is kept and in the rest', async () => {
  const ask = served({ people: kept(), number: 1 })
  const first = await ask()
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(first.headers['cache-control']).toBe('no-store')
  expect(first.json()).toEqual({ people: [{ name: 'Ada' }], page: { number: 1 } })
  expect((await ask()).body).toBe(first.body)
})

it('is whole again after the rest has changed, with another tag', async () => {
  const answer = { people: kept(), number: 1 }
  const ask = served(answer)
  const tags = new Set()
  for (const number of [1, 200, 3, 3]) {
    answer.number = number
    const reply = await ask()
    expect(reply.json()).toEqual({ people: [{ name: 'Ada' }], page: { number } })
    tags.add(reply.headers['etag'])
  }
  expect(tags.size).toBe(3)
  expect(answer.people.read()).toEqual([{ name: 'Ada' }])
})

it('is not sent again to a caller that has it, and only to that one', async () => {
  const answer = { people: kept(), number: 1 }
  const ask = served(answer)
  const etag = String((await ask()).headers['etag'])
  const again = await ask({ 'if-none-match': etag })
  expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag])
  expect((await ask({ 'if-none-match': '"another"' })).statusCode).toBe(200)
  answer.number = 2
  const changed = await ask({ 'if-none-match': etag })
  expect(changed.statusCode).toBe(200)
  expect(changed.json()).toMatchObject({ page: { number: 2 } })
})
