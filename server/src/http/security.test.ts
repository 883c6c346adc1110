import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addSecurityHeaders } from './security.ts'

it.each([
  [[], "img-src 'self' data: blob: https:;"],
  [
    ['http://pictures.example:8080'],
    "img-src 'self' data: blob: https: http://pictures.example:8080;",
  ],
])('pages may take pictures from by https, and from %j', async (pictureOrigins, expected) => {
  const app = Fastify()
  addSecurityHeaders(app, { https: false, pictureOrigins })
  app.get('/', () => 'a page')
  const reply = await app.inject('/')
  expect(reply.headers['content-security-policy']).toContain(expected)
})
