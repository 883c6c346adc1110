import { endpoint } from '@bancone/contract/endpoint'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { noSessions } from '../../test/no-sessions.ts'
import { createServe } from './serve.ts'

const person = endpoint({
  method: 'GET',
  path: '/api/person',
  summary: 'A person with a secret column',
  access: 'public',
  response: z.object({ name: z.string() }),
  errors: [],
})

it('an answer has only the fields that its endpoint declares', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  const row = { name: 'Ada', passwordHash: 'x' }
  createServe(app, noSessions())(person, () => row)
  const reply = await app.inject('/api/person')
  expect([reply.statusCode, reply.json()]).toEqual([200, { name: 'Ada' }])
})
